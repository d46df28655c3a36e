import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

export const CLIENT_CORE = 0;
export const SERVER_CORE = 1;

/** All of the machine: what this process may use is less once it is pinned itself. */
const CORES = cpus().length;
const pinning = CORES > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The command that runs `program` on one core only, so that client and server do not take each other's time. */
export function onCore(core: number, program: string, args: readonly string[]): readonly [string, string[]] {
  return pinning ? ['taskset', ['-c', String(core), program, ...args]] : [program, [...args]];
}

/** The command that runs `program` on all cores, also when this process is pinned to one. */
function onAnyCore(program: string, args: readonly string[]): readonly [string, string[]] {
  return pinning ? ['taskset', ['-c', `0-${CORES - 1}`, program, ...args]] : [program, [...args]];
}

/** The command that runs a server: on its core, or with `spread` on all cores. */
export function asServer(
  spread: boolean,
  program: string,
  args: readonly string[],
): readonly [string, string[]] {
  return spread ? onAnyCore(program, args) : onCore(SERVER_CORE, program, args);
}

/** Frees this process and its threads from the client's core: for what is measured inside it, as on a user's machine. */
export function useAllCores(): void {
  if (pinning) spawnSync('taskset', ['-a', '-p', '-c', `0-${CORES - 1}`, String(process.pid)]);
}
