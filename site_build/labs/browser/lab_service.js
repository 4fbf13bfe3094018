// Lets a lab run again without a network: files that are named by their hash come from what the page kept, everything
// else from the network first. A new build is therefore seen on the next load.

const own = `lab ${new URL(registration.scope).pathname} `;
const isFixed = (url) => /\/assets\/(labs|runtime)\//.test(url);

const kept = async (request) => {
  for (const name of await caches.keys()) {
    const found = name.startsWith(own) && (await caches.match(request, { cacheName: name, ignoreVary: true }));
    if (found) return found;
  }
  return null;
};

const answer = async (request) => {
  if (isFixed(request.url)) return (await kept(request)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (fault) {
    const found = await kept(request);
    if (found) return found;
    throw fault;
  }
};

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});
