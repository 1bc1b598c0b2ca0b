// Shows one page without a network. Nothing in it is personal.

const FILES = "FILES";
const isOurs = (request) => FILES.includes(new URL(request.url).pathname);

const install = async () => {
  const cache = await caches.open(registration.scope);
  await cache.addAll(FILES);
  for (const request of await cache.keys()) if (!isOurs(request)) await cache.delete(request);
  await skipWaiting();
};
addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(FILES[0])));
  else if (isOurs(request)) event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});
