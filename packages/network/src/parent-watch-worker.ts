import { workerData } from 'node:worker_threads';
import type { ParentWatch } from './end-with-parent.ts';

/** Entry of the thread that ends a process without a parent: who loses it is given to another process. */

const LOOK_EVERY_MILLIS = 500;

const { parent, graceMillis } = workerData as ParentWatch;
let aloneMillis = 0;
setInterval(() => {
  aloneMillis = process.ppid === parent ? 0 : aloneMillis + LOOK_EVERY_MILLIS;
  if (aloneMillis >= graceMillis) process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MILLIS);
