// Screens and their addresses: "#play", "#learn/gomoku/2", "#explore?g=…&x=…". Links of earlier versions, "#g=…", lead
// where they led. One screen is seen at a time; each has its own <main>.
import { $, el } from './dom.js';
import { t } from './texts.js';

const router = { screens: new Map(), app: null, current: null, params: null, home: 'start' };

// The name and the parameters of an address: { name, path: [...], query: URLSearchParams }.
function readAddress(hash) {
  const text = hash.replace(/^#/, '');
  const [route, search = ''] = text.split(/\?(.*)/s);
  const [name, ...path] = route.split('/').map(decode);
  if (router.screens.has(name)) return { name, path, query: new URLSearchParams(search) };
  const query = new URLSearchParams(text);
  if (query.has('g')) return { name: query.has('x') ? 'explore' : 'play', path: [], query };
  return { name: router.home, path: [], query: new URLSearchParams() };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Writes an address; `query` is an object or URLSearchParams.
function addressOf(name, path = [], query = {}) {
  const search = new URLSearchParams(query).toString();
  return '#' + [name, ...path.map(encodeURIComponent)].join('/') + (search ? '?' + search : '');
}

// Registers the screens and makes their places.
function startRouter(screens, app) {
  router.app = app;
  for (const screen of screens) {
    const root = el('main', { id: 'screen-' + screen.name, class: 'screen', hidden: true, tabindex: '-1' });
    $('screens').append(root);
    router.screens.set(screen.name, { screen, root, mounted: false, shown: null });
  }
  addEventListener('hashchange', () => follow());
}

// Goes to a screen by a step of its own in the browser's history.
function go(name, path, query) {
  const address = addressOf(name, path, query);
  if (location.hash === address) return follow();
  location.hash = address; // the event does the rest
}

// Writes the address anew without a step in the history and without showing anything again.
const rewrite = (name, path, query) => history.replaceState(null, '', addressOf(name, path, query));

// Shows what the address says. Only what the user asked for moves the focus, not the page's beginning.
async function follow(first = false) {
  const params = readAddress(location.hash);
  const next = router.screens.get(params.name);
  const before = router.current;
  if (before && before !== next) {
    before.screen.hide();
    before.root.hidden = true;
  }
  router.current = next;
  router.params = params;
  next.root.hidden = false;
  document.body.dataset.screen = params.name;
  for (const link of document.querySelectorAll('[data-goes]')) {
    if (link.dataset.goes === params.name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  await mount(next);
  await next.screen.show(params);
  if (router.current !== next) return;
  setTitle();
  if (before !== next) scrollTo(0, 0);
  if (!first && before !== next) focusHeading(next.root);
}

async function mount(entry) {
  if (entry.mounted) return;
  entry.mounted = true;
  await entry.screen.mount(entry.root, router.app);
}

const setTitle = () => { document.title = `${t(`screen.${router.params.name}`)} – sortie`; };

// The heading is where a screen reader begins; it takes no part in the tab order.
function focusHeading(root) {
  const heading = root.querySelector('h1') || root;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

// Builds every screen anew, in another language; the one that is seen keeps what it showed.
async function retell() {
  for (const entry of router.screens.values()) {
    if (!entry.mounted) continue;
    entry.root.replaceChildren();
    await entry.screen.mount(entry.root, router.app);
  }
  setTitle();
  if (router.current) await router.current.screen.show({ ...router.params, again: true });
}

export { router, startRouter, go, follow, rewrite, retell, addressOf, readAddress };
