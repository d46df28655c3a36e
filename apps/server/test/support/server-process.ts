import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { networkProgram, serverProgram } from '@cannery/dev-env';
import { putEmptyDatabase } from './empty-database.ts';

/** A program under test, as its user starts it. */
export interface Program {
  readonly child: ChildProcess;
  /** The address in its ready line. */
  readonly url: string;
  readonly output: string[];
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number | null>;
}

/** The whole product as a separate process; resolves at its ready line, fails with its output when it ends before. */
export function startProduct(options: Record<string, string>): Promise<Program> {
  return startReady([process.execPath, serverProgram], options);
}

/** Mounts a file system of a size at a folder, then becomes the program: no other process has it there. */
const ON_SMALL_DISK = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"';

/**
 * The product with a folder on a disk of a number of bytes, which others find below {@link seenBy}. It needs the same right
 * as the sandbox of builds: to make a user namespace.
 */
export function startProductOnSmallDisk(
  options: Record<string, string>,
  disk: { readonly folder: string; readonly bytes: number },
): Promise<Program> {
  const own = ['unshare', '--user', '--map-root-user', '--mount', '--', 'sh', '-c', ON_SMALL_DISK, 'sh'];
  return startReady([...own, String(disk.bytes), disk.folder, process.execPath, serverProgram], options);
}

/** A folder as a program sees it that has other mounts than the test. */
export function seenBy({ child }: Program, folder: string): string {
  return `/proc/${child.pid}/root${folder}`;
}

/** One process of a product of several, in its role. */
export function startRole(options: Record<string, string>): Promise<Program> {
  return start([process.execPath, serverProgram], READY, {
    HOST: '127.0.0.1',
    PORT: '0',
    NETWORK_PORT: '0',
    LOG_LEVEL: 'error',
    SECURITY_LOG: 'off',
    RATE_LIMIT: '10000',
    SIGN_IN_LIMIT: '10000',
    SITE_PICTURES: 'off',
    RUST_TOOLCHAIN: 'off',
    NETWORK_SERVICES: 'none',
    ...options,
  });
}

const READY = /^Cannery is ready: (\S+)$/;

function startReady(command: string[], options: Record<string, string>): Promise<Program> {
  if (options['DATA_DIR'] !== undefined) putEmptyDatabase(options['DATA_DIR']);
  return start(command, READY, {
    HOST: '127.0.0.1',
    PORT: '0',
    NETWORK_PORT: '0',
    LOG_LEVEL: 'error',
    SECURITY_LOG: 'off',
    // Tests call faster than people.
    RATE_LIMIT: '10000',
    SIGN_IN_LIMIT: '10000',
    NETWORK_SERVICES: 'none',
    ...options,
  });
}

/** What `--principal` of the product prints. */
export async function showPrincipal(options: Record<string, string>): Promise<string> {
  const env = { ...process.env, ...options };
  return (await promisify(execFile)(process.execPath, [serverProgram, '--principal'], { env })).stdout;
}

/** An IC network that lives on when the product is killed. */
export function startNetworkProgram(dataDir: string, port = 0, services = 'none'): Promise<Program> {
  return start(
    // Nothing costs anything, so that the console's books can be compared with the network's to the cycle.
    [
      process.execPath,
      networkProgram,
      '--data-dir',
      dataDir,
      '--port',
      String(port),
      '--fees',
      'free',
      '--services',
      services,
      '--exit-with-parent',
    ],
    /^network ready: (\S+)$/,
    {},
  );
}

async function start(
  [file = '', ...args]: string[],
  ready: RegExp,
  options: Record<string, string>,
): Promise<Program> {
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options },
  });
  const output: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => output.push(line));
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      const match = ready.exec(line);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', () => setTimeout(() => reject(new Error(output.join('\n'))), 100));
  });
  return {
    child,
    url,
    output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}
