// Loaded by `--import` into the processes of a product that is probed, never by the product itself: measures how late the event
// loop of the main thread is, and how much of that was its own work, and tells who connects to a socket in PROBE_FOLDER.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** A timer is due this often, in milliseconds; what comes on top of that is delay. */
const EVERY_MILLIS = 5;
/** Delays that are kept while nobody asks: a quarter of an hour. */
const MOST_KEPT = 180_000;
/** Delays that are told one by one, in milliseconds; shorter ones are only counted. */
const TOLD_MILLIS = 1;

const folder = process.env['PROBE_FOLDER'];
if (isMainThread && folder !== undefined) watch(join(folder, `${process.pid}.sock`));

function watch(path: string): void {
  let count = 0;
  let delays: [late: number, worked: number][] = [];
  let last = performance.now();
  let used = workedMillis();
  const look = (): void => {
    const [now, worked] = [performance.now(), workedMillis()];
    const late = Math.max(0, now - last - EVERY_MILLIS);
    count += 1;
    // A machine that is busy with others makes a loop late as well, but does not make it work.
    if (late > TOLD_MILLIS && delays.length < MOST_KEPT) delays.push([late, Math.min(late, worked - used)]);
    [last, used] = [now, worked];
  };
  setInterval(look, EVERY_MILLIS).unref();
  createServer((socket) => {
    look();
    socket.on('error', () => undefined);
    socket.end(JSON.stringify({ count, delays }));
    count = 0;
    delays = [];
  })
    .listen(path)
    .unref();
}

/** Processor time of this thread, in milliseconds. */
function workedMillis(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
