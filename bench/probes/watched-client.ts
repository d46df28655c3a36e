// The client whose calls are watched while another one is hostile, in its own process so that what the attacks cost their
// sender delays nothing here. It reads the memory of the product's processes as well. Told by its parent what to do.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { processes } from '@cannery/dev-env';

/** A call that this client makes again and again. */
export interface WatchedCall {
  readonly name: string;
  readonly port: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body?: string;
  /** Milliseconds between an answer and the next call. */
  readonly everyMillis: number;
}

/** What is told to this process. */
export type Told =
  | {
      readonly kind: 'watch';
      readonly calls: readonly WatchedCall[];
      readonly server: number;
      readonly network: number;
    }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };

/** What was seen since `begin`: milliseconds of each call, why calls failed, and the most memory, in MiB. */
export interface Seen {
  readonly millis: Readonly<Record<string, readonly number[]>>;
  readonly failures: readonly string[];
  readonly memory: Readonly<Record<'server' | 'network', number>>;
  /** What they had at `begin`, in MiB. */
  readonly memoryBefore: Readonly<Record<'server' | 'network', number>>;
  readonly serverEnded: boolean;
  readonly networkEnded: boolean;
  /** The largest other process of the product, such as git or a backend of the database, without what it shares. */
  readonly other: { readonly name: string; readonly mebibytes: number };
}

/** Another address than that of the attacks, which have limits by address. */
const ADDRESS = '127.0.0.2';
const PATIENCE_MILLIS = 5_000;
const MEMORY_EVERY_MILLIS = 50;
const PROCESSES_EVERY_MILLIS = 400;

let millis: Record<string, number[]> = {};
let failures: string[] = [];
let memory = { server: 0, network: 0 };
let memoryNow = { server: 0, network: 0 };
let memoryBefore = memoryNow;
let ended = { server: false, network: false };
let other = { name: '', mebibytes: 0 };

process.on('message', (told: Told) => {
  if (told.kind === 'watch') {
    for (const call of told.calls) void repeat(call);
    watchMemory(told.server, told.network);
  } else if (told.kind === 'begin') {
    [millis, failures] = [{}, []];
    memory = { server: 0, network: 0 };
    memoryBefore = memoryNow;
    ended = { server: false, network: false };
    other = { name: '', mebibytes: 0 };
    process.send?.('begun');
  } else {
    const { server: serverEnded, network: networkEnded } = ended;
    process.send?.({
      millis,
      failures,
      memory,
      memoryBefore,
      serverEnded,
      networkEnded,
      other,
    } satisfies Seen);
  }
});
process.on('disconnect', () => process.exit(0));

async function repeat(call: WatchedCall): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const start = performance.now();
    const failure = await once(call, agent);
    (millis[call.name] ??= []).push(performance.now() - start);
    if (failure !== undefined) failures.push(`${call.name}: ${failure}`);
    await delay(call.everyMillis);
  }
}

/** Why the call failed, or undefined. */
function once({ port, method, path, headers, body }: WatchedCall, agent: Agent): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const bytes = body === undefined ? undefined : Buffer.from(body, 'base64');
  const call = request({ agent, host: '127.0.0.1', port, localAddress: ADDRESS, method, path, headers });
  call.setTimeout(PATIENCE_MILLIS, () => call.destroy(new Error(`no answer within ${PATIENCE_MILLIS} ms`)));
  call.on('error', (error) => resolve(error.message));
  call.on('response', (response) => {
    response.on('data', () => undefined);
    response.on('error', (error) => resolve(error.message));
    response.on('end', () =>
      resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`),
    );
  });
  call.end(bytes);
  return promise;
}

function watchMemory(server: number, network: number): void {
  let others: readonly { id: number; command: string }[] = [];
  const list = (): void => {
    const all = processes();
    const family = new Set([server]);
    // Children come after their parents, as ids are given out; where they do not, the next look finds them.
    for (const { id, parent } of all.toSorted((a, b) => a.id - b.id)) if (family.has(parent)) family.add(id);
    others = all.filter(({ id }) => family.has(id) && id !== server && id !== network);
  };
  list();
  setInterval(list, PROCESSES_EVERY_MILLIS);
  setInterval(() => {
    const [ofServer, ofNetwork] = [residentOf(server, 'VmRSS'), residentOf(network, 'VmRSS')];
    if (ofServer === undefined) ended.server = true;
    if (ofNetwork === undefined) ended.network = true;
    memoryNow = { server: ofServer ?? 0, network: ofNetwork ?? 0 };
    memory.server = Math.max(memory.server, memoryNow.server);
    memory.network = Math.max(memory.network, memoryNow.network);
    for (const { id, command } of others) {
      const mebibytes = residentOf(id, 'RssAnon') ?? 0;
      if (mebibytes > other.mebibytes) other = { name: command.slice(0, 60), mebibytes };
    }
  }, MEMORY_EVERY_MILLIS);
}

/** In MiB; undefined where the process is gone. */
function residentOf(pid: number, what: 'VmRSS' | 'RssAnon'): number | undefined {
  try {
    const found = new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found) / 1024;
  } catch {
    return undefined;
  }
}
