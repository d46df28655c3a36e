import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, serverProgram } from '@cannery/dev-env';
import { type S3Service, startS3Service } from '../service/s3-service.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';
import { startTcpPostgres, type TcpPostgres } from './tcp-postgres.ts';

export const memberNames = ['network', 'git-0', 'git-1', 'api-0', 'api-1', 'worker-0', 'worker-1'] as const;
export type MemberName = (typeof memberNames)[number];

/** One process of a fleet. */
export interface Member {
  readonly name: MemberName;
  /** Undefined while it does not run. */
  pid(): number | undefined;
  /** The last lines that it printed. */
  readonly output: readonly string[];
  kill(): Promise<void>;
  /** Starts it again, at its port and in its folder. */
  start(): Promise<void>;
}

/** The product as two of each role that may be two, with Postgres on TCP, an S3 service, and a proxy before the api roles. */
export interface Fleet {
  /** What people open. */
  readonly url: string;
  readonly networkUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<MemberName, Member>>;
  readonly postgres: TcpPostgres;
  readonly s3: S3Service;
  readonly proxy: RoundRobin;
  /** Address of an api past the proxy. */
  apiUrl(place: 0 | 1): string;
  close(): Promise<void>;
}

interface FleetOptions {
  /** Keeps everything; a fleet that is started there again goes on. */
  readonly folder: string;
  readonly port?: number;
  readonly networkPort?: number;
  /** Settings of all members. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

type Ports = Readonly<Record<MemberName | 'proxy' | 's3' | 'postgres', number>>;

/** @throws Error with the output of a member that does not become ready */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { folder, onLine = () => undefined } = options;
  await using started = new AsyncDisposableStack();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ports = { ...(await portsOf(folder)) };
  if (options.port !== undefined) ports.proxy = options.port;
  if (options.networkPort !== undefined) ports.network = options.networkPort;
  const postgres = await startTcpPostgres({
    folder: join(folder, 'postgres'),
    host: '127.0.0.1',
    port: ports.postgres,
  });
  started.defer(() => postgres.stop());
  const objects = join(folder, 's3');
  mkdirSync(objects, { recursive: true });
  const s3 = started.use(await startS3Service({ directory: objects, port: ports.s3 }));
  const url = `http://localhost:${ports.proxy}`;
  const networkUrl = `http://127.0.0.1:${ports.network}`;
  const names = { DATABASE_URL: postgres.url, SITE_NAMES: 'on' };
  const settings = {
    ...sharedFiles(folder),
    ...names,
    PUBLIC_URL: url,
    IC_URL: networkUrl,
  };
  const bucket = Object.fromEntries(
    Object.entries(s3.settings).map(([name, value]) => [name, String(value)]),
  );
  const all = { ...settings, ...bucket };
  const memberOf = (name: MemberName): Member => {
    const role = name.replace(/-\d$/, '');
    const port = name === 'network' ? { NETWORK_PORT: ports.network } : { PORT: ports[name] };
    const own = Object.fromEntries(Object.entries(port).map(([key, value]) => [key, String(value)]));
    return memberWith(name, onLine, {
      HOST: '127.0.0.1',
      TRUST_PROXY: '127.0.0.1',
      DRAIN_S: '2',
      ...options.env,
      ...(role === 'network' ? names : all),
      ...own,
      ROLE: role,
      DATA_DIR: join(folder, name),
    });
  };
  const members = Object.fromEntries(memberNames.map((name) => [name, memberOf(name)])) as Record<
    MemberName,
    Member & { stop(): Promise<void> }
  >;
  started.defer(async () => void (await Promise.all(memberNames.map((name) => members[name].stop()))));
  await members.network.start();
  const others = memberNames.filter((name) => name !== 'network');
  const starts = await Promise.allSettled(others.map((name) => members[name].start()));
  for (const each of starts) if (each.status === 'rejected') throw each.reason;
  const proxy = await startRoundRobin(ports.proxy, [ports['api-0'], ports['api-1']]);
  started.defer(() => proxy.close());
  const running = started.move();
  return {
    url,
    networkUrl,
    settings: all,
    members,
    postgres,
    s3,
    proxy,
    apiUrl: (place) => `http://localhost:${ports[`api-${place}`]}`,
    close: () => running.disposeAsync(),
  };
}

/** Ports, the same at each start. */
async function portsOf(folder: string): Promise<Ports> {
  const file = join(folder, 'ports.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Ports;
  const names = [...memberNames, 'proxy', 's3', 'postgres'] as const;
  const free = await Promise.all(names.map(async (name) => [name, await freePort()] as const));
  const ports = Object.fromEntries(free) as Ports;
  writeFileSync(file, JSON.stringify(ports));
  return ports;
}

/** The identity and the key that all members have, made once. */
export function sharedFiles(folder: string): { IC_IDENTITY_FILE: string; SECRETS_KEY_FILE: string } {
  const [identity, key] = [join(folder, 'identity.pem'), join(folder, 'secrets.key')];
  if (!existsSync(identity)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(identity, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    writeFileSync(key, randomBytes(32).toString('hex'), { mode: 0o600 });
  }
  return { IC_IDENTITY_FILE: identity, SECRETS_KEY_FILE: key };
}

const READY_MS = 120_000;
const KEPT_LINES = 400;

/** @param enter what comes before the command, to run it elsewhere, such as in another network namespace */
export function memberWith(
  name: MemberName,
  onLine: (line: string) => void,
  env: Readonly<Record<string, string>>,
  enter: readonly string[] = [],
): Member & { stop(): Promise<void> } {
  const output: string[] = [];
  let child: ChildProcess | undefined;
  const isOver = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || isOver()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    name,
    output,
    pid: () => (isOver() ? undefined : child?.pid),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async start() {
      const [file = '', ...args] = [...enter, process.execPath, serverProgram];
      // The channel ends with this process, and the member with the channel.
      const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
      const started = spawn(file, args, { stdio: [...stdio], env: { ...process.env, ...env } });
      child = started;
      const ready = Promise.withResolvers<void>();
      const took = (line: string): void => {
        output.push(line);
        if (output.length > KEPT_LINES) output.shift();
        onLine(`${name}: ${line}`);
        if (line.startsWith('Cannery is ready: ')) ready.resolve();
      };
      for (const stream of [started.stdout, started.stderr])
        if (stream !== null) createInterface({ input: stream }).on('line', took);
      const failed = (): void => ready.reject(new Error(`${name} did not start: ${output.join('\n')}`));
      const timer = setTimeout(failed, READY_MS);
      started.once('exit', () => setTimeout(failed, 100));
      await ready.promise.finally(() => clearTimeout(timer));
    },
  };
}
