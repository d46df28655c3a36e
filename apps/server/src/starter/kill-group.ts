import type { ChildProcess } from 'node:child_process';

/** Ends a program that leads a process group (`detached`), and all that it has started (SIGKILL). */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
