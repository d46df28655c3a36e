import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A command that runs a program as the leader, or in the first generation, of a separate process group. */
export interface GroupCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether Node has to make the group, which makes a separate session as well. */
  readonly detached: boolean;
}

/** The program of that name on a search path; undefined when there is none. */
export function findOnPath(name: string, searchPath: string): string | undefined {
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

/**
 * How programs are put into process groups here. Where sessions compete for the processor (`stepBackAsSession`), a
 * session for each program would let every one of them count as much as the server. `timeout` makes a group and no
 * session; with 0 it has no time limit. By `setpriv` it ends when the process that started it does.
 */
export function groupCommands(
  searchPath: string,
): (file: string, args: readonly string[], env: Readonly<Record<string, string>>) => GroupCommand {
  const linux = process.platform === 'linux';
  const setpriv = linux ? findOnPath('setpriv', searchPath) : undefined;
  const timeout = linux ? findOnPath('timeout', searchPath) : undefined;
  if (setpriv === undefined || timeout === undefined) return (file, args) => ({ file, args, detached: true });
  return (file, args, env) => {
    // They would start, and find out only then.
    const program = findOnPath(file, env.PATH ?? searchPath);
    if (program === undefined) throw new Error(`${file} was not found on the search path.`);
    return {
      file: setpriv,
      args: ['--pdeathsig', 'KILL', '--', timeout, '0', program, ...args],
      detached: false,
    };
  };
}
