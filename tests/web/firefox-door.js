#!/usr/bin/env node
// Debian's Firefox as playwright starts it, for its WebDriver BiDi: playwright asks for one thing that this Firefox does
// not know yet, which colours a page is to have, and takes a refusal for the end. So its words go through here, and that
// question is answered with yes; firefox.js sees to the colours by another way.
'use strict';
const { spawn } = require('node:child_process');
const WebSocket = require('ws');

const UNKNOWN = 'emulation.setMediaFeaturesOverride';
const program = spawn('firefox-esr', process.argv.slice(2), { stdio: ['inherit', 'inherit', 'pipe'] });

function pass(client, address) {
  const firefox = new WebSocket(address);
  const early = [];
  client.on('message', (data) => {
    const { id, method } = JSON.parse(data);
    if (method === UNKNOWN) client.send(JSON.stringify({ type: 'success', id, result: {} }));
    else if (firefox.readyState === WebSocket.OPEN) firefox.send(String(data));
    else early.push(String(data));
  });
  firefox.on('open', () => early.splice(0).forEach((each) => firefox.send(each)));
  firefox.on('message', (data) => client.send(String(data)));
  firefox.on('close', () => client.close());
  client.on('close', () => firefox.close());
}

let said = '';
program.stderr.on('data', function listen(data) {
  said += data;
  const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
  if (!found) return;
  program.stderr.off('data', listen).resume();
  const server = new WebSocket.Server({ port: 0, host: '127.0.0.1' }, () => process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`));
  server.on('connection', (client, request) => pass(client, found[1] + request.url));
});
program.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => program.kill(signal));
