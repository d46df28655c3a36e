import type { Program } from '../../starter/start-program.ts';
import type { TenantFolder } from '../tenant/tenant-folder.ts';

/** As whom, and with which view of the machine's mounts, programs of a build are started. */
export interface BuildPlace {
  /** uid and gid of its steps, where the server is root and a build has a user; null where steps have the server's. */
  readonly user: number | null;
  /** Words before the command that starts a step: with them it sees the disk of the build. */
  readonly entry: readonly string[];
}

/** All folders of one tenant, as what mounts them knows them (tenant/disk-of.ts). */
export interface TenantBase extends BuildPlace {
  /** Name of its folder, which is no name that a tenant chooses. */
  readonly owner: string;
}

/** All that a build writes, as what measures it knows it (tenant/disk-of.ts). */
export interface WrittenFolder {
  readonly id: string;
  /** Whether the kernel bounds what is written to the disk that it is on. */
  readonly isBounded: boolean;
  /** Bytes that may be written, where the room on the disk leaves less than the limit of a step. */
  readonly mostBytes: number;
}

/** Where a build keeps its things. A step sees the checkout and its home, whatever the mechanism. */
export interface BuildFolders extends BuildPlace {
  /** Folder on disk that the server alone writes; the mechanism may keep its own things in it. */
  root: string;
  /** What holds everything that steps of the build write; it is measured while they run. */
  written: WrittenFolder;
  /** The checkout; the only folder with `home` that a step may write. */
  source: TenantFolder;
  /** HOME of the steps, but of those with an empty one. */
  home: TenantFolder;
}

/** Programs that the server has fetched for a build. A step sees the folder read-only. */
export interface ProgramFolder {
  /** Folder on disk, which no step of a project can write. */
  readonly disk: string;
  /** Folder of the programs in it, which comes first on the search path. */
  readonly bin: string;
}

export interface SandboxStep {
  /** Program and arguments, as an array: user text is never part of a shell string of ours. */
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /**
   * Address of the way out for this step: a socket file where steps have a separate root, else a proxy's address.
   * Null for no network but a loopback of the step's own.
   */
  way: string | null;
  /** Folder that this step may also write, seen at `cachePath` of the sandbox. */
  cache?: TenantFolder;
  /**
   * Whether its home is an empty folder in memory, where steps have a separate root. What lies in that of the build may come from
   * code of the project, and programs that install packages take orders from there.
   */
  hasEmptyHome?: boolean;
  /** Files of the operator a step needs to read, such as certificates; by the path the step sees. */
  files?: ReadonlyMap<string, string>;
  /** Programs that come before all others, the first of them first. */
  programs?: readonly ProgramFolder[];
  /**
   * Folder, relative to the checkout, whose installed packages have their programs on the search path, behind those of the
   * machine. Undefined for a step of the server, which starts no program of a project.
   */
  packagesIn?: string;
  /** Limits that differ from those of the sandbox. */
  limits?: Partial<SandboxLimits>;
  timeoutMs: number;
  signal: AbortSignal;
  onLine(line: string): void;
}

export interface StepResult {
  exitCode: number | null;
  /** Why the step was ended from outside, as the second half of a sentence; null when it ended by itself. */
  stopped: string | null;
  /** Whether that was for want of memory. */
  isOutOfMemory: boolean;
}

/** Paths as a step sees them; they mean nothing to the server. */
export interface SeenPaths {
  source(folders: Pick<BuildFolders, 'source'>): string;
  home(folders: Pick<BuildFolders, 'home'>): string;
  cache(folder: TenantFolder): string;
  /** @param index place in the list of a step's programs */
  program(program: ProgramFolder, index: number): string;
}

/** One way to keep a build away from everything but its checkout. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'namespaces' | 'bare' | 'none';
  /** What the reader of the log must know; null when the isolation is complete. */
  readonly warning: string | null;
  /**
   * Whether steps see a separate root and network, with `cache` at {@link cachePath}, `files` at their paths of
   * the step, and a way out through a socket file. Where not, a way out is advice that code need not follow.
   */
  readonly ownRoot: boolean;
  /** Where a step sees the folders of its build, and what is given to it as its cache and its programs. */
  readonly seen: SeenPaths;
  /** Whether its steps are started as users that the server chooses, one for each build. */
  readonly hasUsers: boolean;
  /** Gives empty folders of a build to the user of its steps. */
  adopt(empty: readonly TenantFolder[], user: number | null): Promise<void>;
  /**
   * Starts the folder program for all folders of a tenant; it reads requests from its input and has no network.
   * @param root folder of a build that the server alone writes
   * @throws StartError when it cannot be started
   */
  open(root: string, base: TenantBase): Promise<Program>;
  /**
   * Writes what steps of a build see as their machine, once: the list of users, and the commands that come first on their path.
   * Only who adds something to that asks for it; a step does otherwise.
   */
  prepare(folders: BuildFolders): Promise<void>;
  run(folders: BuildFolders, step: SandboxStep): Promise<StepResult>;
}

export interface SandboxLimits {
  /** Bytes of memory of the whole process tree. */
  memoryBytes: number;
  /** Processes and threads together. */
  processes: number;
  /** Bytes of one file. */
  fileBytes: number;
  openFiles: number;
  /** Bytes of the build folder. */
  diskBytes: number;
  /** Files and folders in the build folder. */
  entries: number;
}

/** Generous for real sites (peak 1.7 GB, inputs survey), small enough for a machine that serves others too. */
export const defaultLimits: SandboxLimits = {
  memoryBytes: 3 * 1024 ** 3,
  processes: 1_024,
  fileBytes: 1024 ** 3,
  openFiles: 16_384,
  diskBytes: 6 * 1024 ** 3,
  entries: 1_000_000,
};

/** Where the sandbox shows the npm cache of the install step. */
export const cachePath = '/var/cache/npm';

/** Where the folder program sees the folders of its tenant. */
export const tenantPath = '/tenant';

/** Where the sandbox shows the home of the steps. */
export const homePath = '/build/home';

/** Where the sandbox shows the checkout. */
export const sourcePath = '/build/source';

/** No mechanism works on this machine, and building without one is not allowed for this console. */
export class NoSandboxError extends Error {
  override readonly name = 'NoSandboxError';
}
