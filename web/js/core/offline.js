// A site's page keeps itself: after the first visit it works without a network, and with threads (web/site/worker.js).

// Only where a browser allows it: over https, or from this machine.
async function keepOffline() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register('worker.js');
    await navigator.serviceWorker.ready;
    document.body.dataset.offline = 'yes'; // for tests
  } catch {
    // The page works as it is.
  }
}

export { keepOffline };
