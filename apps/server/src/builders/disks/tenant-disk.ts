import type { BuildPlace } from '../sandbox/sandbox.ts';
import type { AskFolder } from '../tenant/folder-client.ts';

/** A folder program that a build has left on a disk for the next one. */
export interface Resident {
  /** Whether it still waits for requests. */
  readonly isIdle: boolean;
  readonly ask: AskFolder;
  close(): Promise<void>;
}

/** Where the folders of a tenant are while a build of it runs: `cache`, `packages` and `builds`, below one folder of the server's. */
export interface TenantDisk extends BuildPlace {
  /** The folder as this process finds it. */
  readonly own: string;
  /** The folder as programs find it that are started with `entry`. */
  readonly mounted: string;
  /** Whether the kernel bounds what can be written to it. */
  readonly isBounded: boolean;
  /** Whether what is in it belongs to the one user of all builds, as before there was one for each. */
  readonly isFormer: boolean;
  /** Null where none was left. */
  readonly resident: Resident | null;
  /** Bytes of the machine's disk that it has taken since the build has it; 0 where nobody can tell at once. */
  written(): Promise<number>;
  /**
   * Ends the use of it by a build.
   * @param isEmpty whether nothing of the build is left in it
   * @param resident the folder program, where it may stay for the next build; else it is ended
   */
  release(isEmpty: boolean, resident?: Resident | null): Promise<void>;
}
