import { type ChildProcess, spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A command that runs a program as the leader, or in the first generation, of a separate process group. */
interface GroupCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether Node has to make the group, which makes a separate session as well. */
  readonly detached: boolean;
}

/** @param memoryBytes most bytes of memory that the program, and each that it starts, may ask for */
type GroupCommands = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  memoryBytes?: number,
) => GroupCommand;

/** The program of that name on a search path; undefined when there is none. */
function findOnPath(name: string, searchPath: string): string | undefined {
  const places = name.includes('/')
    ? [name]
    : searchPath.split(delimiter).map((folder) => join(folder, name));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The words that make `timeout` put a program into a group, with no time limit; by `setpriv` it ends with its parent. */
function groupMaker(searchPath: string): readonly [string, ...string[]] | undefined {
  const setpriv = findOnPath('setpriv', searchPath);
  const timeout = findOnPath('timeout', searchPath);
  if (setpriv === undefined || timeout === undefined) return undefined;
  const words = ['--pdeathsig', 'KILL', '--', timeout, '0'];
  // Some small systems have a `timeout` that makes no group.
  const tried = spawnSync(setpriv, [...words, 'cat', '/proc/self/stat'], { encoding: 'utf8' });
  // Behind the name in parentheses: state, parent, group.
  const group = tried.stdout?.slice(tried.stdout.lastIndexOf(')') + 2).split(' ')[2];
  return group === String(tried.pid) ? [setpriv, ...words] : undefined;
}

/**
 * How programs are put into process groups here. Where sessions compete for the processor (`stepBackAsSession`), a
 * session for each program would let every one of them count as much as the server, so `timeout` makes the group.
 */
export function groupCommands(searchPath: string): GroupCommands {
  const onLinux = process.platform === 'linux';
  const maker = onLinux ? groupMaker(searchPath) : undefined;
  const limiter = onLinux ? findOnPath('prlimit', searchPath) : undefined;
  return (file, args, env, memoryBytes) => {
    const limited = limiter !== undefined && memoryBytes !== undefined;
    if (maker === undefined && !limited) return { file, args, detached: true };
    // They would start, and find out only then.
    const program = findOnPath(file, env.PATH ?? searchPath);
    if (program === undefined) throw new Error(`${file} was not found on the search path.`);
    const limits = limited ? ([limiter, `--data=${memoryBytes}`, '--'] as const) : [];
    const [first, ...words] = [...(maker ?? []), ...limits, program];
    return { file: first ?? program, args: [...words, ...args], detached: maker === undefined };
  };
}

/** The processes that a process has started, and those that they have, as far as the system tells (Linux). */
function descendantsOf(pid: number): number[] {
  const found = [pid];
  for (const member of found) {
    try {
      for (const task of readdirSync(`/proc/${member}/task`)) {
        const children = readFileSync(`/proc/${member}/task/${task}/children`, 'latin1');
        found.push(...children.split(' ').filter(Boolean).map(Number));
      }
    } catch {
      // It has ended meanwhile, or the system does not tell.
    }
  }
  return found.slice(1);
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/** Ends a program that leads a process group, and all that is in the group (SIGKILL). */
export function killGroup(child: ChildProcess): void {
  // It is gone already, or so young that it has not made its group yet.
  if (child.pid !== undefined && !kill(-child.pid)) child.kill('SIGKILL');
}

/** Ends a program that leads a process group, and all that it has started, also what has left the group (SIGKILL). */
export function killTree(child: ChildProcess): void {
  const all = child.pid === undefined ? [] : descendantsOf(child.pid);
  killGroup(child);
  for (const pid of all) kill(pid);
}
