// Runs inside the sandbox: opens one page in Chromium and writes a picture of it.
//
//   node drive-browser.mjs ADDRESS FILE PROGRAM ARGUMENT...
//
// What the page does to this process or to the browser it does to its own picture. Plain JavaScript, like the bridge.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const [address = '', file = '', program = '', ...args] = process.argv.slice(2);

/** Pixels of the window, and of the picture for each of them. */
const WINDOW = { width: 1280, height: 800, deviceScaleFactor: 0.5, mobile: false };
/** How long the page may take to load, and then to come to rest, in milliseconds; what is there by then is taken. */
const LOAD_MS = 10_000;
const REST_MS = 3_000;

/** HTTP statuses from here on are errors. */
const FIRST_ERROR = 400;

/** The end of a message (Chrome DevTools Protocol over `--remote-debugging-pipe`). */
const END = 0;

const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
const [, , , toBrowser, fromBrowser] = /** @type {import('node:stream').Duplex[]} */ (
  /** @type {unknown} */ (browser.stdio)
);

/** @type {Map<number, PromiseWithResolvers<Record<string, any>>>} */
const asked = new Map();
/** @type {Map<string, (params: Record<string, any>) => void>} */
const listeners = new Map();
let lastId = 0;
/** @type {Buffer} */
let rest = Buffer.alloc(0);

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

browser.on('error', (error) => fail(`The browser could not be started: ${error.message}`));
browser.on('exit', () => fail('The browser ended'));

fromBrowser?.on('data', (/** @type {Buffer} */ chunk) => {
  rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf(END); end >= 0; end = rest.indexOf(END)) {
    const message = JSON.parse(rest.toString('utf8', 0, end));
    rest = rest.subarray(end + 1);
    const answer = asked.get(message.id);
    if (answer === undefined) listeners.get(message.method)?.(message.params);
    else if (message.error) answer.reject(new Error(message.error.message));
    else answer.resolve(message.result);
  }
});

/**
 * @param {string} method
 * @param {Record<string, unknown>} [params]
 * @param {string} [sessionId]
 */
function ask(method, params = {}, sessionId) {
  lastId += 1;
  const answer = Promise.withResolvers();
  asked.set(lastId, answer);
  toBrowser?.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`);
  return answer.promise;
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const { targetId } = await ask('Target.createTarget', { url: 'about:blank' });
const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
/** @param {string} method @param {Record<string, unknown>} [params] */
const onPage = (method, params) => ask(method, params, sessionId);

await onPage('Emulation.setDeviceMetricsOverride', WINDOW);
// What moves stands at its end, and what fades in is there.
await onPage('Emulation.setEmulatedMedia', {
  features: [{ name: 'prefers-reduced-motion', value: 'reduce' }],
});
// A page that shows a dialog would wait for an answer for ever.
listeners.set(
  'Page.javascriptDialogOpening',
  () => void onPage('Page.handleJavaScriptDialog', { accept: false }),
);
const loaded = Promise.withResolvers();
const atRest = Promise.withResolvers();
listeners.set('Page.loadEventFired', loaded.resolve);
// An error of the website or of its gateway is no picture of it.
let status = 0;
listeners.set('Network.responseReceived', ({ type, frameId, response }) => {
  if (type === 'Document' && frameId === targetId) status = response.status;
});
await onPage('Network.enable');
await onPage('Page.enable');
const blank = (await onPage('Page.getFrameTree')).frameTree.frame.loaderId;
// Half a second without requests; the empty page of the start is at rest, too.
listeners.set('Page.lifecycleEvent', ({ name, loaderId }) => {
  if (name === 'networkIdle' && loaderId !== blank) atRest.resolve(undefined);
});
await onPage('Page.setLifecycleEventsEnabled', { enabled: true });
const { errorText } = await onPage('Page.navigate', { url: address });
if (errorText) fail(`The page did not open: ${errorText}`);
await Promise.race([loaded.promise, pause(LOAD_MS)]);
await Promise.race([atRest.promise, pause(REST_MS)]);

// A page may have led elsewhere, which the way out does not reach: no picture of a refusal.
const { url, unreachableUrl } = (await onPage('Page.getFrameTree')).frameTree.frame;
if (unreachableUrl || new URL(url).host !== new URL(address).host) fail('The page led to another host');
if (status >= FIRST_ERROR) fail(`The page was answered with the error ${status}`);
const { data } = await onPage('Page.captureScreenshot', { format: 'png' });
writeFileSync(file, Buffer.from(data, 'base64'));
process.exit(0);
