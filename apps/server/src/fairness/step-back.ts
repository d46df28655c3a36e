import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Niceness of what works for one tenant; the server, which answers everybody, has 0. */
export const LOW_PRIORITY = 15;
/** Without special rights, a machine takes ten of these settings a second (Linux, `kernel/sched/autogroup.c`). */
const RETRY_MS = 150;
const TRIES = 20;

/** Lets this process, and all that it starts from now on, give way to the server. */
export function stepBack(): void {
  setPriority(process.pid, LOW_PRIORITY);
}

/** Lets a thread that works for one tenant give way to the server's other threads. To be called in that thread. */
export function stepBackInThread(): void {
  // Elsewhere the whole process would step back.
  if (process.platform === 'linux') setPriority(0, LOW_PRIORITY);
}

/**
 * Lets all processes of this session give way to those of other sessions. Many a Linux shares the processor out by
 * session first (sched(7), autogroup): niceness then only counts between processes of the same session.
 */
export async function stepBackAsSession(): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      writeFileSync('/proc/self/autogroup', String(LOW_PRIORITY));
      return;
    } catch (error) {
      // Where there is no such file, niceness counts everywhere.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await delay(RETRY_MS);
    }
  }
}
