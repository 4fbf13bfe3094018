// What a lab needed is kept in the browser under the build's id, so that a second visit needs no network.
import { loadFile } from "./lab_files.js";
import { buildId } from "./lab_share.js";

// the site's root, as the bundle's folder sees it: two sites on one host keep apart
const rootOf = (folder) => new URL("../../../", folder);
const SERVICE = "../../../lab_service.js";
const ownName = (folder, build) => `lab ${rootOf(folder).pathname} ${build}`;

// forget what other builds kept, or everything
export const purge = async (folder, build = buildId()) => {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(ownName(folder, "")) && name !== ownName(folder, build));
  await Promise.all(others.map((name) => caches.delete(name)));
};

// what this page was made of, by its addresses; the worker's own files are the worker's to keep
const addresses = (folder) => {
  const root = rootOf(folder).href;
  const asked = performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]);
  return [...new Set(asked)].filter((url) => url.startsWith(root) && !/\/assets\/runtime\/|lab_service/.test(url));
};

// `askWorker` hands over the name of the cache; the page is fetched last: where it is of another build by now, nothing stays
export const keep = async (folder, files, askWorker) => {
  const name = ownName(folder, buildId());
  const cache = await caches.open(name);
  const page = location.pathname;
  askWorker(name);
  if (!(await cache.match(page))) {
    await cache.addAll(addresses(folder));
    const response = await fetch(page);
    const copy = response.clone();
    if (!(await response.text()).includes(buildId())) {
      await caches.delete(name);
      return;
    }
    await cache.put(page, copy);
  }
  await loadFile(new URL(SERVICE, folder).href, files[SERVICE].sha256);
  await navigator.serviceWorker.register(new URL(SERVICE, folder), { scope: rootOf(folder).pathname });
};
