import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  HEARTBEAT,
  HEARTBEAT_MILLIS,
  type NetworkFigures,
  program,
  programEnvironment,
  siteNamesMessage,
} from '@cannery/network/program';
import { localUrl } from '../config/host-and-port.ts';
import { StartError } from '../errors.ts';
import { weighAsOne } from '../fairness/processor-group.ts';
import { hasEnded, keepRunning, type KeptProcess } from '../keep-running.ts';
import { linesOf } from '../lines-of.ts';
import type { Logger } from '../log/logger.ts';
import { FiguresOfNetwork } from './ask-figures.ts';
import { NetworkControls } from './network-controls.ts';
import { logLine } from './network-lines.ts';
import type { NetworkAccess } from './served-names.ts';

/** Heartbeats in a row that may fail to come: a machine that is busy keeps a process waiting for some seconds. */
const MOST_MISSED = 15;

/** How long a process is silent before it counts as hung, in seconds. */
const SILENCE_SECONDS = (MOST_MISSED * HEARTBEAT_MILLIS) / 1000;

/**
 * Calls `onSilent` once when a child process, whose channel is open, has sent no heartbeat for `SILENCE_SECONDS`. Time in
 * which this process did not come to look, since the machine slept or was too busy, does not count.
 */
function watchHeartbeat(child: ChildProcess, onSilent: () => void): void {
  let missed = 0;
  let lookedAt = performance.now();
  child.on('message', (message) => {
    if (message === HEARTBEAT) missed = 0;
  });
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lookedAt < 2 * HEARTBEAT_MILLIS) missed += 1;
    lookedAt = now;
    if (missed < MOST_MISSED) return;
    clearInterval(timer);
    onSilent();
  }, HEARTBEAT_MILLIS);
  timer.unref();
  child.once('exit', () => clearInterval(timer));
}

const READY = /^network ready: (http:\/\/\S+)$/;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

/** The embedded network: a child process that is started again whenever it dies, and ended when it hangs. */
export interface NetworkProcess extends KeptProcess {
  /** Address of its IC HTTP interface on this computer; stays the same over restarts. */
  readonly url: string;
  readonly port: number;
  /** When it was started last. */
  since(): Date;
  /** How it is doing; undefined when it does not answer in time. */
  figures(): Promise<NetworkFigures | undefined>;
  /** How it is, and what of it may be changed. */
  readonly controls: NetworkControls;
  /**
   * Says by which names sites are served besides the IDs of their canisters, all of them: IDs by names. A process that is started again
   * is told them again.
   */
  nameSites(names: ReadonlyMap<string, string>): void;
}

interface Settings {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Name of the fee schedule. */
  readonly fees: string;
  /** System canisters: `default`, `none`, or names with commas. */
  readonly services: string;
  /** Where the console shows Candid pages, with `{canisterId}`; undefined where that is not known. */
  readonly candidUrl: string | undefined;
  readonly access: NetworkAccess;
}

/** @throws StartError when the network does not come up the first time */
export async function startNetwork(settings: Settings & { log: Logger }): Promise<NetworkProcess> {
  const { log } = settings;
  let { port } = settings;
  let since = new Date();
  const names = new ToldNames();
  const figures = new FiguresOfNetwork();
  const controls = new NetworkControls();
  const kept = await keepRunning({
    name: 'The network process',
    log,
    end,
    async start() {
      since = new Date();
      const { child, url } = await launch({ ...settings, port }, log);
      port = Number(new URL(url).port);
      if (child.pid !== undefined) await weighAsOne(child.pid);
      names.tell(child);
      figures.of(child);
      await controls.of(child);
      watchHeartbeat(child, () => {
        log.error(
          { pid: child.pid },
          `The network process has not answered for ${SILENCE_SECONDS} s and is ended`,
        );
        child.kill('SIGKILL');
      });
      return child;
    },
  });
  return {
    ...kept,
    url: localUrl(settings.host, port),
    port,
    since: () => since,
    nameSites: (given) => names.change(given),
    figures: () => figures.ask(),
    controls,
  };
}

/** The names of sites, and the process that is told them. */
class ToldNames {
  #names: ReadonlyMap<string, string> = new Map();
  #child: ChildProcess | undefined;

  /** Tells a process that has just started, and from then on no other. */
  tell(child: ChildProcess): void {
    this.#child = child;
    if (this.#names.size > 0) this.#send();
  }

  change(names: ReadonlyMap<string, string>): void {
    const isSame =
      names.size === this.#names.size && [...names].every(([name, id]) => this.#names.get(name) === id);
    if (isSame) return;
    this.#names = names;
    this.#send();
  }

  #send(): void {
    // A process that ends meanwhile is followed by one that is told.
    if (this.#child?.connected) this.#child.send(siteNamesMessage(this.#names), () => undefined);
  }
}

async function launch(settings: Settings, log: Logger): Promise<{ child: ChildProcess; url: string }> {
  const { dataDir, host, port, fees, services, candidUrl, access } = settings;
  const options = [fileURLToPath(program), '--data-dir', dataDir, '--host', host, '--port', String(port)];
  options.push('--fees', fees, '--provisional', access.provisional, '--exit-with-parent');
  options.push('--http-outcalls', access.outcalls, '--dashboard', access.dashboard);
  options.push('--services', services, '--controls');
  if (candidUrl?.includes('{canisterId}')) options.push('--candid-url', candidUrl);
  if (log.isLevelEnabled('debug')) options.push('--note-calls');
  for (const name of access.hosts) options.push('--allow-host', name);
  if (access.canisterUrl !== undefined) options.push('--canister-url', access.canisterUrl);
  // Its standard input is a pipe from here: when this process ends in whatever way, the pipe does, and so does it.
  const child = spawn(
    process.execPath,
    options,
    // A separate process group keeps Ctrl+C in a terminal from reaching it before its server.
    { env: programEnvironment(process.env), stdio: ['pipe', 'pipe', 'pipe', 'ipc'], detached: true },
  );
  child.stdin?.on('error', () => {});
  const complaints: string[] = [];
  onLine(child.stderr, (line) => {
    complaints.push(line);
    if (complaints.length > 20) complaints.shift();
    log.warn({ part: 'network' }, line);
  });
  const ready = Promise.withResolvers<string>();
  onLine(child.stdout, (line) => {
    const match = READY.exec(line);
    if (match?.[1] !== undefined) ready.resolve(match[1]);
    else logLine(log, line);
  });
  const failed = (reason: string): void => {
    const isTaken = complaints.some((line) => /\bin use\b/.test(line));
    const sentence = isTaken
      ? `NETWORK_PORT ${port} is taken by another program. Stop it, or set NETWORK_PORT to another one.`
      : `The embedded network did not start: ${[reason, ...complaints.slice(-3)].join('\n')}`;
    ready.reject(new StartError(sentence));
  };
  child.once('error', (error) => failed(error.message));
  child.once('exit', (code, signal) => failed(`it ended with ${signal ?? `code ${code}`}.`));
  const timeout = setTimeout(() => failed('it took too long.'), START_TIMEOUT_MS);
  try {
    return { child, url: await ready.promise };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

function onLine(input: Readable | null, take: (line: string) => void): void {
  if (input === null) return;
  const all = async (): Promise<void> => {
    for await (const line of linesOf(input)) take(line);
  };
  // A stream that breaks off has no more lines.
  all().catch(() => undefined);
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timeout);
}
