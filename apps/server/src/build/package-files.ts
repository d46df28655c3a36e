import { lstat, readFile } from 'node:fs/promises';

/** What an installation has to know of a project's package.json. */
export interface ProjectPackage {
  readonly needsPackages: boolean;
  /** Names of its scripts that npm runs at an installation, of those that are asked for. */
  readonly scripts: readonly string[];
}

/** The questions there are, with their answers. */
export interface PackageAnswers {
  readonly project: ProjectPackage;
  /** Names of installed packages that have install scripts, each once. */
  readonly scripted: readonly string[];
}

/** What the thread is given. */
export interface PackageQuestion {
  readonly about: keyof PackageAnswers;
  readonly path: string;
}

/** Bytes of a package file that is read; the largest lock file known has 6 MB. */
const READ_LIMIT = 64 * 1024 * 1024;
/** Scripts that npm runs when packages are installed. */
const INSTALL_SCRIPTS: readonly string[] = ['preinstall', 'install', 'postinstall', 'prepare'];
/** How many names of packages a line of the log lists. */
const NAMED = 50;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Null when there is no such file, or none that can be read. */
async function readJson(path: string): Promise<Fields | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > READ_LIMIT) return null;
  try {
    return fieldsOf(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Answers a question about a package file; null when there is none that can be read. */
export async function askPackageFile({
  about,
  path,
}: PackageQuestion): Promise<PackageAnswers[keyof PackageAnswers] | null> {
  const file = await readJson(path);
  if (file === null) return null;
  if (about === 'scripted') return withScripts(file);
  const wanted = [file.dependencies, file.devDependencies, file.optionalDependencies];
  return {
    needsPackages:
      wanted.some((list) => Object.keys(fieldsOf(list)).length > 0) || file.workspaces !== undefined,
    scripts: INSTALL_SCRIPTS.filter((name) => fieldsOf(file.scripts)[name] !== undefined),
  };
}

function withScripts(tree: Fields): string[] {
  const names = Object.entries(fieldsOf(tree.packages))
    .filter(([, one]) => fieldsOf(one).hasInstallScript === true)
    .map(([path]) => path.split('node_modules/').at(-1) ?? path);
  return [...new Set(names)].slice(0, NAMED);
}
