import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

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
