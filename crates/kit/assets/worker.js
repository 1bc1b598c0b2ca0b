// Shows one page without a network. Nothing in it is personal.

const FILES = "FILES";
const CACHE = registration.scope;
const OFFLINE = FILES[0];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const tidy = async () => {
    const cache = await caches.open(CACHE);
    for (const request of await cache.keys()) {
      if (!FILES.includes(new URL(request.url).pathname)) await cache.delete(request);
    }
    await clients.claim();
  };
  event.waitUntil(tidy());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (FILES.includes(new URL(request.url).pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
