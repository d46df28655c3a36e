import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { program, programEnvironment } from '@cannery/network/program';
import { StartError } from '../errors.ts';

/** Longest that the network takes for what was committed since it was ready, in milliseconds. */
const MOST_MOMENT_MS = 8_000;

/** Folders in which the network may not write. */
const CLOSED = /\b(?:EROFS|EACCES|EPERM)\b/;
const CLOSED_ADVICE =
  'A network that runs writes its part itself: its service must be able to write there as well (ReadWritePaths of a unit of systemd).';

/** The network's own program, which alone knows what its folder holds. */
function start(args: readonly string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    env: programEnvironment(process.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that ends early closes the pipe; its code says so.
  child.stdin.on('error', () => undefined);
  return child;
}

/** A copy of the network that is under way. */
export interface NetworkCopy {
  /** Takes the moment: the copy has what was committed before the call, and nothing of after its end. */
  take(): Promise<void>;
  /** Resolves when the copy is whole. @throws StartError with what the network says */
  readonly done: Promise<void>;
}

/**
 * Has the network of a folder copied to a new folder, by its process if it runs. Resolves when the moment may come.
 * @throws StartError with what the network says
 */
export async function beginNetworkCopy(dataDir: string, to: string): Promise<NetworkCopy> {
  const child = start(['backup', dataDir, '--to', to, '--wait']);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const done = ended(child).catch((error: Error) => {
    throw CLOSED.test(error.message) ? new StartError(`${error.message}. ${CLOSED_ADVICE}`) : error;
  });
  // Whoever waits for a line hears of the end there.
  done.catch(() => undefined);
  const hear = async (word: string): Promise<void> => {
    const { value } = await lines.next();
    if (value === word) return;
    await done;
    throw new StartError('The network has ended its copy too early.');
  };
  await hear('ready');
  return {
    async take() {
      child.stdin?.end('go\n');
      await Promise.race([hear('taken'), tooLate()]);
      // The last line, so that the program does not wait for whoever reads it.
      child.stdout.resume();
    },
    done,
  };
}

/** Payments stand still meanwhile. */
async function tooLate(): Promise<never> {
  await sleep(MOST_MOMENT_MS, undefined, { ref: false });
  throw new StartError(
    'The network has not taken the moment of the backup in time. Try again when it has less to do.',
  );
}

/** Makes the folder of a network of its copy, and checks every byte of it. @throws StartError with what the network says */
export async function restoreNetwork(from: string, dataDir: string): Promise<void> {
  const child = start(['restore', from, '--to', dataDir]);
  child.stdout.resume();
  await ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  const [errors, [code]] = await Promise.all([
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0)
    throw new StartError(`The network could not be copied: ${errors.trim() || 'it said nothing'}`);
}
