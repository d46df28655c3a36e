import { constants, openSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { startProgram } from '../../starter/start-program.ts';

/**
 * A view of the machine's mounts that this process keeps open and nobody else has. What is mounted in it ends with this
 * process, however that ends: the kernel takes a view down, with its mounts and their loop devices, when nothing holds it.
 */
export interface MountSpace {
  /** Words before a command that make it see what is mounted here. */
  readonly entry: readonly string[];
  /** The path by which this process finds what that view has at an absolute path. */
  seen(path: string): string;
  /** Runs a program of the machine in it. @throws Error with what the program says when it fails */
  run(file: string, args: readonly string[]): Promise<void>;
}

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
/** Characters of what a program says that are told. */
const MOST_SAID = 300;
/** Says its id, then repeats what it reads: an answer proves that the id is still its own. */
const HOLDER = 'echo $$ && exec cat';

async function open(): Promise<MountSpace> {
  const args = ['--mount', '--propagation', 'slave', '--', 'sh', '-c', HOLDER];
  const holder = await startProgram('unshare', args, ENV, { withInput: true, priority: 'usual' });
  try {
    const lines = createInterface({ input: holder.output })[Symbol.asyncIterator]();
    const { value: id } = await lines.next();
    if (id === undefined || !/^[1-9]\d*$/.test(id)) throw new Error('A view of mounts could not be made.');
    const space = openSync(`/proc/${id}/ns/mnt`, constants.O_RDONLY);
    const root = openSync(`/proc/${id}/root`, constants.O_RDONLY | constants.O_DIRECTORY);
    holder.input?.write('here\n');
    const isHolder = (await lines.next()).value === 'here';
    if (!isHolder || readlinkSync(`/proc/self/fd/${space}`) === readlinkSync('/proc/self/ns/mnt'))
      throw new Error('A view of mounts could not be kept open.');
    return spaceOf(space, root);
  } finally {
    holder.kill();
    await holder.ended;
  }
}

/** @param space, root descriptors of the view and of its root, which stay open */
function spaceOf(space: number, root: number): MountSpace {
  const [file, ...words] = ['nsenter', `--mount=/proc/${process.pid}/fd/${space}`, '--'] as const;
  return {
    entry: [file, ...words],
    seen: (path) => `/proc/self/fd/${root}${path}`,
    async run(program, args) {
      const started = await startProgram(file, [...words, program, ...args], ENV, {
        withErrors: true,
        priority: 'usual',
      });
      const [said, { code }] = await Promise.all([
        started.errors === null ? '' : text(started.errors),
        started.ended,
        started.output.resume(),
      ]);
      if (code !== 0) throw new Error(`${program} failed: ${said.trim().slice(0, MOST_SAID)}`);
    },
  };
}

let opened: Promise<MountSpace> | undefined;

/** The one of this process, made when it is first asked for. @throws Error where this process may not make one */
export function mountSpace(): Promise<MountSpace> {
  opened ??= open().catch((error: unknown) => {
    // What was lacking may be there the next time.
    opened = undefined;
    throw error;
  });
  return opened;
}
