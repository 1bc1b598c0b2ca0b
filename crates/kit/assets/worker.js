// Shows one page without a network. Nothing in it is personal.

const FILES = "FILES";
const CACHE = registration.scope;
const isOurs = (request) => FILES.includes(new URL(request.url).pathname);

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    for (const request of await cache.keys()) {
      if (!isOurs(request)) await cache.delete(request);
    }
    await clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(FILES[0])));
  } else if (isOurs(request)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
