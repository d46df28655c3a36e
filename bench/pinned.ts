import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export const CLIENT_CORE = 0;
export const SERVER_CORE = 1;

const pinning = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The command that runs `program` on one core only, so that client and server do not take each other's time. */
export function onCore(core: number, program: string, args: readonly string[]): readonly [string, string[]] {
  return pinning ? ['taskset', ['-c', String(core), program, ...args]] : [program, [...args]];
}
