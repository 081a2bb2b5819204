// Debian's Firefox by WebDriver BiDi over its web socket, as far as the tests of the page go: the names are those of
// playwright, so that a test need not know which browser it is in.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const WebSocket = require('ws');

const PATIENCE = 30000; // milliseconds, for what a test waits for
const PREFERENCES = {
  'datareporting.policy.dataSubmissionEnabled': false, 'toolkit.telemetry.reportingpolicy.firstRun': false, 'app.normandy.enabled': false,
  'browser.shell.checkDefaultBrowser': false, 'browser.startup.homepage_override.mstone': 'ignore', 'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false, 'browser.safebrowsing.update.enabled': false, 'intl.accept_languages': 'en-GB',
};

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// The wire: commands with answers, and events.
class Wire {
  constructor(socket) {
    Object.assign(this, { socket, count: 0, waiting: new Map(), listeners: new Set() });
    socket.on('message', (data) => this.hear(JSON.parse(data)));
  }

  hear(message) {
    if (message.type === 'event') return this.listeners.forEach((listener) => listener(message));
    const { resolve, reject } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.type === 'error') reject(new Error(`${message.error}: ${message.message}`));
    else resolve(message.result);
  }

  send(method, params = {}) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

// A function of the page with one argument; what it gives comes back as JSON.
const calling = (body, argument) => `(async () => {
  const value = await (${body})(${argument === undefined ? 'undefined' : JSON.stringify(argument)});
  return JSON.stringify(value === undefined ? null : value);
})()`;

class Page {
  constructor(wire, context) {
    Object.assign(this, { wire, context, handlers: { request: [], pageerror: [], console: [] } });
    this.listener = (event) => this.tell(event);
    wire.listeners.add(this.listener);
  }

  on(what, handler) {
    this.handlers[what].push(handler);
  }

  tell({ method, params }) {
    const context = params.context ?? params.source?.context;
    if (context !== this.context) return;
    const each = (what, value) => this.handlers[what].forEach((handler) => handler(value));
    if (method === 'network.beforeRequestSent') each('request', { url: () => params.request.url });
    else if (params.type === 'javascript') each('pageerror', new Error(params.text));
    else if (params.type === 'console') each('console', { type: () => params.level, text: () => params.text });
  }

  async goto(url) {
    await this.wire.send('browsingContext.navigate', { context: this.context, url, wait: 'interactive' });
  }

  async reload() {
    await this.wire.send('browsingContext.reload', { context: this.context, wait: 'interactive' });
  }

  async evaluate(body, argument) {
    const expression = typeof body === 'function' ? calling(body, argument) : `(async () => { ${body}; return 'null'; })()`;
    const { type, result, exceptionDetails } = await this.wire.send('script.evaluate',
      { expression, target: { context: this.context }, awaitPromise: true, userActivation: true });
    if (type === 'exception') throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }

  async waitForFunction(body, argument) {
    const until = Date.now() + PATIENCE;
    const truth = `(argument) => (async () => Boolean(await (${body})(argument)))()`;
    for (;;) {
      const done = await this.evaluate(Object.assign(() => 0, { toString: () => truth }), argument ?? undefined).catch(() => false);
      if (done) return;
      if (Date.now() > until) throw new Error(`waited in vain for ${body}`);
      await sleep(50);
    }
  }

  waitForTimeout(milliseconds) {
    return sleep(milliseconds);
  }

  async waitForSelector(selector) {
    await this.waitForFunction((wanted) => document.querySelector(wanted)?.checkVisibility(), selector);
    return { contentFrame: () => this.frame() };
  }

  // The page in the only frame of this one.
  async frame() {
    const { contexts } = await this.wire.send('browsingContext.getTree', { root: this.context });
    return new Page(this.wire, contexts[0].children[0].context);
  }

  // A click of the mouse in the middle of an element.
  async click(selector) {
    await this.waitForSelector(selector);
    const place = await this.evaluate((wanted) => {
      const element = document.querySelector(wanted);
      element.scrollIntoView({ block: 'center' });
      const box = element.getBoundingClientRect();
      return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
    }, selector);
    const actions = [{ type: 'pointerMove', ...place }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await this.wire.send('input.performActions', { context: this.context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
  }

  async close() {
    this.wire.listeners.delete(this.listener);
    await this.wire.send('browsingContext.close', { context: this.context });
  }
}

// What a fresh profile is to a browser; Firefox calls it a user context.
class Context {
  constructor(wire, userContext) {
    Object.assign(this, { wire, userContext });
  }

  setDefaultTimeout() {
    // PATIENCE it is.
  }

  async newPage() {
    const { context } = await this.wire.send('browsingContext.create', { type: 'tab', userContext: this.userContext });
    return new Page(this.wire, context);
  }

  async close() {
    await this.wire.send('browser.removeUserContext', { userContext: this.userContext });
  }
}

// Firefox says on its standard error where it listens.
function listenedTo(program) {
  return new Promise((resolve, reject) => {
    let said = '';
    program.stderr.on('data', (data) => {
      said += data;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    program.once('exit', () => reject(new Error('Firefox ended: ' + said.slice(-400))));
  });
}

// Whether a page is to be dark is one preference of the whole browser: for dark pages there is a second one.
async function openFirefox(dark = false) {
  let darkOne = null;
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'sortie-firefox-'));
  const lines = Object.entries({ ...PREFERENCES, 'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1 }).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  fs.writeFileSync(path.join(profile, 'user.js'), lines.join(''));
  const program = spawn('firefox-esr', ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { env: { ...process.env, HOME: profile, MOZ_HEADLESS: '1' }, stdio: ['ignore', 'ignore', 'pipe'] });
  const socket = new WebSocket((await listenedTo(program)) + '/session');
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const wire = new Wire(socket);
  await wire.send('session.new', { capabilities: {} });
  await wire.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
  const newContext = async ({ colorScheme } = {}) => {
    if (colorScheme === 'dark' && !dark) return (await (darkOne ??= openFirefox(true))).newContext();
    return new Context(wire, (await wire.send('browser.createUserContext')).userContext);
  };
  return {
    newContext,
    newPage: async () => (await newContext()).newPage(),
    async close() {
      if (darkOne) await (await darkOne).close();
      const gone = new Promise((resolve) => program.once('exit', resolve));
      await Promise.race([wire.send('browser.close').catch(() => {}), sleep(2000)]);
      socket.close();
      program.kill();
      await Promise.race([gone, sleep(5000).then(() => program.kill('SIGKILL'))]);
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
}

module.exports = { openFirefox };
