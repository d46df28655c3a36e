import type { BuildPlace } from '../sandbox.ts';

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
  /** Bytes of the machine's disk that it has taken since the build has it; 0 where nobody can tell at once. */
  written(): Promise<number>;
  /**
   * Ends the use of it by a build.
   * @param isEmpty whether nothing of the build is left in it
   */
  release(isEmpty: boolean): Promise<void>;
}
