// Debian's Firefox for the same tests as Chromium, by playwright through firefox-door.js. Dark pages and those without
// motion are preferences of a whole Firefox: there is one of each kind that a test asks for.
'use strict';
const path = require('node:path');
const { firefox } = require('playwright-core');

const PREFERENCES = {
  'datareporting.policy.dataSubmissionEnabled': false, 'toolkit.telemetry.reportingpolicy.firstRun': false, 'app.normandy.enabled': false,
  'browser.shell.checkDefaultBrowser': false, 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false,
  'browser.safebrowsing.update.enabled': false, 'services.settings.server': 'http://127.0.0.1:1/',
};

const start = (dark, still) => firefox.launch({
  channel: 'moz-firefox', executablePath: path.join(__dirname, 'firefox-door.js'), timeout: 120000,
  env: { ...process.env, NODE_PATH: path.dirname(path.dirname(require.resolve('ws/package.json'))) },
  firefoxUserPrefs: { ...PREFERENCES, 'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1, 'ui.prefersReducedMotion': still ? 1 : 0 },
});

async function openFirefox() {
  const open = new Map();
  const newContext = async ({ colorScheme, reducedMotion, hasTouch, isMobile, ...options } = {}) => {
    const kind = [colorScheme === 'dark', reducedMotion === 'reduce'];
    if (!open.has(kind.join())) open.set(kind.join(), await start(...kind));
    return open.get(kind.join()).newContext(options);
  };
  return {
    newContext,
    newPage: async () => (await newContext()).newPage(),
    close: () => Promise.all([...open.values()].map((each) => each.close())),
  };
}

module.exports = { openFirefox };
