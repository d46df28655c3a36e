/** A program that installs packages. */
export type ToolName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The tool for a project. */
export interface PackageTool {
  readonly name: ToolName;
  /** The release to fetch; null for the npm of the server. */
  readonly version: string | null;
  /** Which file of the project says so; null when none does. */
  readonly because: string | null;
  /** Its lock file, when there is one. */
  readonly lock: string | null;
  /** Lock files of other tools, which do not count. */
  readonly strayLocks: readonly string[];
}

/** The tools that a build command names. */
export interface NamedTools {
  /** The one that it names first, be it to run something. */
  readonly first: ToolName | null;
  /** The one that is to install packages. */
  readonly installs: ToolName | null;
}

/** What a command names that names no tool. */
export const NO_TOOLS: NamedTools = { first: null, installs: null };

/** A lock file of a project. */
export interface LockFile {
  readonly name: string;
  /** Its first bytes as text, which tell the version of its form. */
  readonly head: string;
}

/** The lock files and their tools; where a project has several, the first of them counts. */
const LOCKS: readonly (readonly [file: string, tool: ToolName])[] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

export const lockFiles: readonly string[] = LOCKS.map(([file]) => file);

/** The releases for projects that name none, tried with each form of lock file. */
const RELEASES = {
  /** https://pnpm.io/npmrc#lockfile-settings: 5.x is of pnpm 3 to 7, 6.x of pnpm 8, 9.x of pnpm 9 and later. */
  pnpm: [
    [6, '7.33.7'],
    [9, '8.15.9'],
    [Infinity, '10.34.9'],
  ],
  /** `__metadata.version`: 4 is of yarn 2, 5 to 7 of yarn 3, 8 and 9 of yarn 4 up to 4.12, 10 of later ones. */
  yarn: [
    [5, '2.4.2'],
    [8, '3.8.7'],
    [10, '4.12.0'],
    [Infinity, '4.18.1'],
  ],
} as const;
/** The form of a lock file that does not say which it has. */
const NEWEST = Number.MAX_SAFE_INTEGER;
/**
 * pnpm 11 writes the form of 9 and 10, but of each patch only its hash; an older one says that such a file does not fit
 * (`ERR_PNPM_LOCKFILE_CONFIG_MISMATCH`), and would then take other versions than the project's.
 */
const PNPM_11 = '11.21.0';
const HASH_OF_PATCH = /^patchedDependencies:\r?\n {2}\S{1,300}: [0-9a-z]{20,100}\r?$/m;
const CLASSIC_YARN = '1.22.22';
const BUN = '1.4.5';

const PACKAGE_MANAGER = /^(npm|pnpm|yarn|bun)@(\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[\w.-]{1,40})?)(?:\+|$)/;

function releaseFor(form: number, releases: readonly (readonly [below: number, version: string])[]): string {
  return releases.find(([below]) => form < below)?.[1] ?? '';
}

function versionFor(tool: ToolName, head: string): string | null {
  switch (tool) {
    case 'npm':
      return null;
    case 'bun':
      return BUN;
    case 'pnpm':
      if (HASH_OF_PATCH.test(head)) return PNPM_11;
      return releaseFor(Number(/^lockfileVersion: '?(\d+)/m.exec(head)?.[1] ?? NEWEST), RELEASES.pnpm);
    case 'yarn': {
      const form = /^__metadata:\r?\n {2}version: (\d+)/m.exec(head)?.[1];
      return form === undefined ? CLASSIC_YARN : releaseFor(Number(form), RELEASES.yarn);
    }
  }
}

/**
 * Chooses the tool that installs the packages of a project: by the field packageManager, else by the install command, else by
 * the lock file, else by the tool that the build command names.
 * @param named the tools of the build command; of several lock files that of the first counts
 */
export function chooseTool(
  packageManager: string | null,
  locks: readonly LockFile[],
  named: NamedTools,
): PackageTool {
  const chosen = toolFor(packageManager, locks, named);
  const strayLocks = locks.map(({ name }) => name).filter((name) => name !== chosen.lock);
  return { ...chosen, strayLocks };
}

function toolFor(
  packageManager: string | null,
  locks: readonly LockFile[],
  { first, installs }: NamedTools,
): Omit<PackageTool, 'strayLocks'> {
  const found = LOCKS.flatMap(([name, tool]) => {
    const lock = locks.find((one) => one.name === name);
    return lock === undefined ? [] : [{ tool, lock }];
  });
  const [, declared, version = null] = PACKAGE_MANAGER.exec(packageManager ?? '') ?? [];
  if (declared !== undefined) {
    const name = declared as ToolName;
    return {
      name,
      version: name === 'npm' ? null : version,
      because: 'packageManager in package.json',
      lock: found.find(({ tool }) => tool === name)?.lock.name ?? null,
    };
  }
  const own =
    installs === null
      ? (found.find(({ tool }) => tool === first) ?? found[0])
      : found.find(({ tool }) => tool === installs);
  if (own !== undefined) {
    const { tool, lock } = own;
    return { name: tool, version: versionFor(tool, lock.head), because: lock.name, lock: lock.name };
  }
  const name = installs ?? first ?? 'npm';
  return {
    name,
    version: versionFor(name, ''),
    because: name === 'npm' ? null : 'the build command',
    lock: null,
  };
}

/** Whether it is a yarn of the second line, which has other commands and settings than the first. */
export function isBerry({ name, version }: PackageTool): boolean {
  return name === 'yarn' && version !== null && !/^[01]\./.test(version);
}

/** Whether it is a yarn of the first line. */
export function isClassicYarn(tool: PackageTool): boolean {
  return tool.name === 'yarn' && !isBerry(tool);
}
