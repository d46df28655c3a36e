import { setPriority } from 'node:os';

/** Niceness of processes that work for one tenant; the server, which answers everybody, has 0. */
const LOW_PRIORITY = 10;

/** Lets a process that was just started, and all that it starts, give way to the server. */
export function stepBack(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already.
  }
}
