import { type Fields, fieldsOf } from './fields.ts';
import { yarnSettings } from './yarn-settings.ts';

/** What an installation has to know of a project's package.json. */
export interface ProjectPackage {
  readonly needsPackages: boolean;
  /** Names of its scripts that npm runs at an installation, of those that are asked for. */
  readonly scripts: readonly string[];
  /** The field packageManager, such as `pnpm@10.1.0`; null when there is none. */
  readonly packageManager: string | null;
  /** The Node it asks for, such as `>=20`; null when it does not say. */
  readonly node: string | null;
  /** Patterns of the folders of its workspaces. */
  readonly workspaces: readonly string[];
}

/** The questions there are, with their answers. */
export interface PackageAnswers {
  readonly project: ProjectPackage;
  /** Names of installed packages that have install scripts, each once. */
  readonly scripted: readonly string[];
  /** What of .yarnrc.yml holds while packages are installed, as text that yarn reads. */
  readonly yarnSettings: string;
}

/** What the thread is given. */
export interface PackageQuestion {
  readonly about: keyof PackageAnswers;
  /** The file as it is, in UTF-8. */
  readonly bytes: Uint8Array;
}

/** Scripts that npm runs when packages are installed. */
const INSTALL_SCRIPTS: readonly string[] = ['preinstall', 'install', 'postinstall', 'prepare'];
/** How many names of packages a line of the log lists. */
const NAMED = 50;
/** Most patterns of workspaces, and most characters of a short text such as a version. */
const MOST_PATTERNS = 200;
const SHORT_TEXT = 200;

/** Null when it is no JSON; a value that is no object has no fields. */
function readJson(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Answers a question about a package file; null when it cannot be read. */
export function askPackageFile({
  about,
  bytes,
}: PackageQuestion): PackageAnswers[keyof PackageAnswers] | null {
  const text = Buffer.from(bytes).toString('utf8');
  if (about === 'yarnSettings') return yarnSettings(text);
  const file = readJson(text);
  if (file === null) return null;
  return about === 'scripted' ? withScripts(file) : projectOf(file);
}

function projectOf(file: Fields): ProjectPackage {
  const wanted = [file.dependencies, file.devDependencies, file.optionalDependencies];
  return {
    needsPackages:
      wanted.some((list) => Object.keys(fieldsOf(list)).length > 0) || file.workspaces !== undefined,
    scripts: INSTALL_SCRIPTS.filter((name) => fieldsOf(file.scripts)[name] !== undefined),
    packageManager: shortText(file.packageManager),
    node: shortText(fieldsOf(file.volta).node) ?? shortText(fieldsOf(file.engines).node),
    workspaces: patternsOf(file.workspaces),
  };
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= SHORT_TEXT ? value.trim() : null;
}

/** npm and bun have a list of patterns; yarn also has an object with the list in it. */
function patternsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : fieldsOf(value).packages;
  if (!Array.isArray(list)) return [];
  return list
    .map(shortText)
    .filter((pattern) => pattern !== null)
    .slice(0, MOST_PATTERNS);
}

function withScripts(tree: Fields): string[] {
  const names = Object.entries(fieldsOf(tree.packages))
    .filter(([, one]) => fieldsOf(one).hasInstallScript === true)
    .map(([path]) => path.split('node_modules/').at(-1) ?? path);
  return [...new Set(names)].slice(0, NAMED);
}
