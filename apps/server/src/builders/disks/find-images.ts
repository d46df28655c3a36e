import { textOf } from '../../errors.ts';
import type { Logger } from '../../log/logger.ts';
import { type DiskLimits, ImageStore } from './image-store.ts';
import { mountSpace } from './mount-space.ts';
import type { UserIds } from './user-ids.ts';

export interface FindImagesOptions {
  readonly folder: string;
  readonly users: UserIds;
  readonly most: DiskLimits;
  readonly log: Logger;
}

/** Disks that the kernel bounds, or what the operator has to know where there are none. */
export interface FoundImages {
  readonly images: ImageStore | undefined;
  readonly gaps: readonly string[];
}

const LOOKED_AT =
  'The kernel does not bound the size and the number of the files of a build here: they are looked at, the free disk ten times a second.';
const HOW_WITHOUT_ROOT =
  'Only root can mount a disk for each build: run the server as root, or give DATA_DIR a file system that nothing else needs.';
const HOW_AS_ROOT =
  'Install e2fsprogs and util-linux, and in a container allow mounts and loop devices (CAP_SYS_ADMIN, /dev/loop-control).';

/** Finds out by one disk whether this machine can give each build one. */
export async function findImages({ log, ...options }: FindImagesOptions): Promise<FoundImages> {
  if (process.platform !== 'linux') return { images: undefined, gaps: [] };
  if (process.getuid?.() !== 0) return { images: undefined, gaps: [`${LOOKED_AT} ${HOW_WITHOUT_ROOT}`] };
  const warn = (reason: string): void => log.warn({ reason }, 'a disk of a build was thrown away');
  try {
    return { images: await ImageStore.open({ ...options, space: await mountSpace(), warn }), gaps: [] };
  } catch (error) {
    const missing = `What is missing: ${textOf(error)}.`;
    return { images: undefined, gaps: [`${LOOKED_AT} ${HOW_AS_ROOT} ${missing}`] };
  }
}
