import type { ChildProcess } from 'node:child_process';

/** Ends a program that leads a process group, and all that it has started (SIGKILL). */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already, or so young that it has not made its group yet.
    child.kill('SIGKILL');
  }
}
