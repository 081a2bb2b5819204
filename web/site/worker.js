// A site's service worker: keeps the page for when there is no network, and gives it the headers a host that knows none
// does not send, so that its workers may share memory. FILES and STAMP are filled in by tools/site.sh.
const KEPT = 'sortie ' + STAMP;
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Resource-Policy': 'same-origin' };

// Every file anew: what the browser has in its own cache may be of another version.
async function keepAll() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: 'no-cache' })));
  await skipWaiting();
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name.startsWith('sortie ') && name !== KEPT) await caches.delete(name);
  await clients.claim();
}

function withHeaders(response) {
  if (response.type === 'opaque' || response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function answer(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request, { ignoreSearch: request.mode === 'navigate' });
  return withHeaders(kept || (await fetch(request)));
}

addEventListener('install', (event) => event.waitUntil(keepAll()));
addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
