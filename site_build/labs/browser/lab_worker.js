// The page's one worker: checks every file, starts Pyodide once, and passes JSON through the door. No other way in.
import { FileFault, hexOf, loadFile, nameOf } from "./lab_files.js";

const TYPES = { wasm: "application/wasm", json: "application/json", mjs: "text/javascript" };
const HASH = "X-SHA-256";
const memoryUrl = (folder) => new URL("memory", folder).href;
let run = null;
let keepIn = null;

const tell = (kind, more = {}) => postMessage({ kind, ...more });

const answerOf = (bytes, name) =>
  new Response(bytes, { headers: { "Content-Type": TYPES[name.split(".").pop()] ?? "application/octet-stream" } });

// every file that Python will read, hashed, by its name
const loadAll = async (folder, files) => {
  const wanted = Object.entries(files).filter(([path]) => !/\.js$|labs(\.\w+)?\.json$/.test(path));
  const all = wanted.reduce((sum, [, file]) => sum + file.size, 0);
  let done = 0;
  const count = (bytes) => tell("loading", { done: (done += bytes), all });
  const load = async ([path, file]) => [nameOf(path), await loadFile(new URL(path, folder), file.sha256, count)];
  return new Map(await Promise.all(wanted.map(load)));
};

// from here on a request is answered with the bytes that were checked, and there are no others
const answerFrom = (kept) => {
  globalThis.fetch = async (input) => {
    const name = nameOf(input.url ?? input);
    if (!kept.has(name)) throw new FileFault("refused_file", name);
    return answerOf(kept.get(name), name);
  };
};

// the checked bytes again, for a visit without a network
const keeper = (kept, folder, files, memory) => async (cacheName) => {
  const cache = await caches.open(cacheName);
  if (memory) {
    const headers = { [HASH]: await hexOf(memory) };
    await cache.put(memoryUrl(folder), new Response(memory, { headers }));
    memory = null;
  }
  for (const path of Object.keys(files)) {
    const name = nameOf(path);
    const url = new URL(path, folder).href;
    if (kept.has(name) && !(await cache.match(url))) await cache.put(url, answerOf(kept.get(name), name));
  }
};

// Python's memory as an earlier visit left it right after its start; none where it is missing or changed
const recall = async (folder) => {
  const found = await caches.match(memoryUrl(folder)).catch(() => null);
  if (!found) return null;
  const memory = new Uint8Array(await found.arrayBuffer());
  return (await hexOf(memory)) === found.headers.get(HASH) ? memory : null;
};

// a start from memory that fails is one more reason to start from the files
const startPython = async (loadPyodide, settings, memory) => {
  const quick = memory && (await loadPyodide({ ...settings, _loadSnapshot: memory }).catch(() => null));
  if (quick) return { python: quick, made: null };
  const python = await loadPyodide({ ...settings, _makeSnapshot: true });
  return { python, made: python.makeMemorySnapshot() };
};

const boot = async ({ folder, files, door, runtime }) => {
  const [kept, memory] = await Promise.all([loadAll(folder, files), recall(folder)]);
  tell("starting");
  const indexURL = new URL(runtime.folder, folder).href;
  const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
  answerFrom(kept);
  const lockFileContents = new TextDecoder().decode(kept.get("pyodide-lock.json"));
  const settings = { indexURL, lockFileContents, packageBaseUrl: folder };
  const { python, made } = await startPython(loadPyodide, settings, memory);
  keepIn = keeper(kept, folder, files, made);
  tell("packages");
  await python.loadPackage(door.package, { messageCallback: () => {} });
  run = python.pyimport(door.module)[door.run];
  tell("ready");
};

const start = async (message) => {
  try {
    await boot(message);
  } catch (fault) {
    const { kind = "failed", file = "" } = fault;
    tell("failed", { why: kind, file, text: String(fault.message ?? fault).slice(0, 200) });
  }
};

onmessage = ({ data }) => {
  if (data.kind === "boot") start(data);
  else if (data.kind === "keep") keepIn(data.name).catch((fault) => console.info(`lab: nothing was kept: ${fault}`));
  else tell("reply", { ticket: data.ticket, reply: run(data.lab, data.inputs) });
};
