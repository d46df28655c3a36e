import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { heapBounds } from '../../thread/heap-bounds.ts';
import type { FolderSize } from './walk-folder.ts';

/** What the thread is asked, and what it answers. */
export interface SizeRequest {
  readonly id: string;
  readonly folder: string;
  readonly most: { readonly bytes: number; readonly entries: number };
}
export interface SizeAnswer {
  readonly id: string;
  readonly size: FolderSize | null;
}

const entry = new URL('./folder-size-worker.ts', import.meta.url);
/** Megabytes of objects: the names of one folder of a million files, and the files of several names. */
const HEAP_MEGABYTES = 512;

const waiting = new Map<string, (size: FolderSize | null) => void>();
let thread: Worker | undefined;

function launch(): Worker {
  const worker = new Worker(entry, { env: {}, resourceLimits: heapBounds(HEAP_MEGABYTES) });
  worker.on('message', ({ id, size }: SizeAnswer) => {
    waiting.get(id)?.(size);
    waiting.delete(id);
  });
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    thread = undefined;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  // Behind the listeners: one for messages would hold the process again.
  worker.unref();
  return worker;
}

/**
 * How much a folder holds; counting ends beyond the bounds. The work is done in one thread for all: it does not give way to
 * builds, which could hide behind their own load, and keeps nobody waiting who is served.
 * @throws Error when it cannot be counted
 */
export async function sizeOfFolder(folder: string, most: SizeRequest['most']): Promise<FolderSize> {
  const id = randomUUID();
  const { promise, resolve } = Promise.withResolvers<FolderSize | null>();
  waiting.set(id, resolve);
  thread ??= launch();
  thread.postMessage({ id, folder, most } satisfies SizeRequest);
  const size = await promise;
  if (size === null) throw new Error(`${folder} could not be counted.`);
  return size;
}
