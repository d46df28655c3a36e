import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sizeOfFolder } from '../process/folder-size.ts';
import type { SandboxLimits } from './sandbox.ts';
import { BuildError } from '../build-error.ts';

/** Free bytes the machine keeps for itself. */
const DISK_RESERVE = 512 * 1024 ** 2;
/** Pause between two looks at memory and at the free disk, in milliseconds; a look that takes long has a longer pause. */
const LOOK_MS = 100;
const LOOK_PAUSE = 5;
/** Pause between two looks at a folder, in milliseconds: this many times of what a look takes, between two bounds. */
const MEASURE_MS = 1_000;
const MEASURE_PAUSE = 20;
const MOST_MS = 4_000;
/** Free bytes with which a step is begun. */
const ROOM = DISK_RESERVE + 256 * 1024 ** 2;
/** How long the disk may be nearly full before a step that is not the largest is ended, too, in milliseconds. */
const FULL_MS = 5_000;
const MIB = 1024 ** 2;
/** Free bytes below which a disk that the kernel bounds is full: what failed programs had asked for is free again. */
const FULL_BYTES = 1024 ** 2;

/** Where a step writes. */
export interface WrittenPlace {
  /** Folder of the build. */
  readonly folder: string;
  /** A folder on the disk that all builds share. */
  readonly shared: string;
  /** Whether the kernel bounds the disk of the folder. */
  readonly isBounded: boolean;
}

export interface WatchOptions extends WrittenPlace {
  readonly limits: SandboxLimits;
  /** Whether the step has used more memory than it may. */
  readonly isMemoryExceeded: () => Promise<boolean>;
  onExceeded(reason: string): void;
}

/** Bytes of the folders of all steps that run. */
const sizes = new Map<symbol, number>();

/** @throws BuildError when the disk of a folder has no room for a step */
export async function checkRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= ROOM) return;
  throw new BuildError(
    `The disk of the server has ${Math.floor((bavail * bsize) / MIB)} MB free, and a build begins with ${ROOM / MIB} MB or more. Try again later, or tell the operator.`,
  );
}

const tooMuch = (limits: SandboxLimits): string =>
  `it wrote more than ${Math.round(limits.diskBytes / MIB)} MB to disk`;
const tooMany = (limits: SandboxLimits): string => `it made more than ${limits.entries} files and folders`;

/** Why a step cannot go on whose disk the kernel bounds: it has no byte left, or no inode. */
export async function fullDisk(
  { folder, isBounded }: Pick<WrittenPlace, 'folder' | 'isBounded'>,
  limits: SandboxLimits,
): Promise<string | null> {
  if (!isBounded) return null;
  const found = await statfs(folder).catch(() => null);
  if (found === null) return null;
  if (found.ffree === 0) return tooMany(limits);
  return found.bavail * found.bsize < FULL_BYTES ? tooMuch(limits) : null;
}

/** Looks again and again until a look finds a reason, or `isOver`. */
async function keepLooking(
  look: () => Promise<string | null>,
  pauseMs: (tookMs: number) => number,
  signal: AbortSignal,
): Promise<string | null> {
  const rest = (ms: number): Promise<unknown> =>
    delay(ms, undefined, { ref: false, signal }).catch(() => undefined);
  await rest(pauseMs(0));
  while (!signal.aborted) {
    const start = performance.now();
    // A look that fails, such as at a folder that is just being removed, has found nothing.
    const reason = await look().catch(() => null);
    if (reason !== null) return reason;
    await rest(pauseMs(performance.now() - start));
  }
  return null;
}

/**
 * A second look at what the kernel bounds, and the first at what it does not: the free disk and, without a control group,
 * memory, and without a disk for each build the size of its folder.
 */
export function watchResources({
  folder,
  shared,
  isBounded,
  limits,
  isMemoryExceeded,
  onExceeded,
}: WatchOptions): {
  stop(): void;
} {
  const over = new AbortController();
  const self = Symbol(folder);
  sizes.set(self, 0);
  let fullSince: number | null = null;
  const measure = async (): Promise<string | null> => {
    const most = { bytes: limits.diskBytes, entries: limits.entries };
    const { bytes, entries, isHidden } = await sizeOfFolder(folder, most);
    sizes.set(self, bytes);
    if (bytes > limits.diskBytes) return tooMuch(limits);
    if (entries > limits.entries) return tooMany(limits);
    return isHidden ? 'it made folders that cannot be looked into' : null;
  };
  const look = async (): Promise<string | null> => {
    if (await isMemoryExceeded())
      return `it used more than ${Math.round(limits.memoryBytes / MIB)} MB of memory`;
    const full = await fullDisk({ folder, isBounded }, limits);
    if (full !== null) return full;
    const { bavail, bsize } = await statfs(shared);
    if (bavail * bsize >= DISK_RESERVE) {
      fullSince = null;
      return null;
    }
    // The largest ends, and not all that build.
    fullSince ??= performance.now();
    const own = await measure();
    if (own !== null) return own;
    const isLargest = (sizes.get(self) ?? 0) >= Math.max(...sizes.values());
    return isLargest || performance.now() - fullSince > FULL_MS
      ? 'the disk of the server is nearly full'
      : null;
  };
  const { signal } = over;
  void Promise.race([
    keepLooking(look, (took) => Math.max(LOOK_MS, took * LOOK_PAUSE), signal),
    keepLooking(measure, (took) => Math.min(MOST_MS, Math.max(MEASURE_MS, took * MEASURE_PAUSE)), signal),
  ]).then((reason) => {
    if (reason === null || over.signal.aborted) return;
    over.abort();
    onExceeded(reason);
  });
  return {
    stop() {
      sizes.delete(self);
      over.abort();
    },
  };
}
