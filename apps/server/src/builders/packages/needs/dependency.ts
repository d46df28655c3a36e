import { ProjectFileError } from '../../source/project-file-error.ts';

/** Where a package comes from, as a settings file says it. */
export type PackageSource =
  | { readonly kind: 'registry'; readonly version: string }
  | { readonly kind: 'git'; readonly git: GitSource }
  | { readonly kind: 'folder'; readonly path: string };

/** A package in a git repository. */
export interface GitSource {
  /** Address of the repository, without what follows '#'. */
  readonly url: string;
  /** Tag or branch. */
  readonly ref: string;
  /** The commit that is meant; empty when only `ref` tells. */
  readonly commit: string;
}

/** A package that a settings file names. */
export interface Dependency {
  /** Name in `import "mo:name/..."`; 'core@1' is a second version of core under a name that tells it apart. */
  readonly name: string;
  readonly source: PackageSource;
}

/** Libraries that come with the compiler. */
export const BUNDLED: ReadonlySet<string> = new Set(['core', 'base']);

/** Names and versions become parts of paths, so that nothing but these characters may be in them. */
const NAME = /^[A-Za-z0-9_][\w.-]{0,99}(?:@[\w.-]{1,50})?$/;
const VERSION = /^[A-Za-z0-9][\w.+-]{0,99}$/;
const REF = /^[A-Za-z0-9][\w./+-]{0,199}$/;
const COMMIT = /^[0-9a-f]{7,40}$/;
/** A branch of a package whose address names none; the branch that mops takes. */
const USUAL_REF = 'master';

/**
 * The name under which a registry knows the package of an import: 'core' of 'core@1'.
 */
export function registryName(name: string): string {
  return name.split('@', 1)[0] ?? name;
}

/** Whether a text can be the name of a package, and so a part of a path. */
export function isPackageName(text: string): boolean {
  return NAME.test(text);
}

/** A git address of mops: `https://host/owner/name#ref@commit`. */
function gitSource(file: string, name: string, value: string): GitSource {
  const [url = '', fragment = ''] = value.split('#', 2);
  const [ref = '', commit = ''] = fragment.split('@', 2);
  return gitAt(file, name, { url, ref: ref === '' ? USUAL_REF : ref, commit });
}

/**
 * A git source with checked parts.
 * @throws ProjectFileError when a part cannot be one
 */
export function gitAt(file: string, name: string, { url, ref, commit }: GitSource): GitSource {
  const hasFolders = ref.split('/').some((part) => part === '' || part === '.' || part === '..');
  const isUrl = URL.canParse(url) && new URL(url).protocol === 'https:';
  if (!isUrl || !REF.test(ref) || hasFolders || (commit !== '' && !COMMIT.test(commit))) {
    throw new ProjectFileError(
      `${file}: the package ${name} has an address that cannot be read: ${url.slice(0, 200)}#${ref.slice(0, 200)}.`,
    );
  }
  return { url: url.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, ''), ref, commit };
}

/**
 * Reads one line of the dependencies of a mops.toml.
 * @throws ProjectFileError when name or value cannot be a package
 */
export function readDependency(file: string, name: string, value: unknown): Dependency {
  if (!isPackageName(name))
    throw new ProjectFileError(`${file}: '${name.slice(0, 100)}' is not a package name.`);
  if (typeof value !== 'string' || value === '') {
    throw new ProjectFileError(`${file}: the package ${name} has no version. Write it as "1.2.3".`);
  }
  if (/^https?:\/\//.test(value)) return { name, source: { kind: 'git', git: gitSource(file, name, value) } };
  if (/^\.?\.?\//.test(value)) {
    return { name, source: { kind: 'folder', path: value.replaceAll('{MOPS_ENV}', 'local') } };
  }
  return { name, source: { kind: 'registry', version: checkedVersion(file, name, value) } };
}

/** @throws ProjectFileError when the text cannot be a version */
export function checkedVersion(file: string, name: string, version: string): string {
  if (VERSION.test(version)) return version;
  throw new ProjectFileError(
    `${file}: '${version.slice(0, 100)}' is not a version of the package ${name}. Write it as "1.2.3".`,
  );
}

/** A source as a mops.toml writes it: '4.0.0', a path, or a git address. */
export function sourceText(source: PackageSource): string {
  if (source.kind === 'registry') return source.version;
  if (source.kind === 'folder') return source.path;
  return `${source.git.url}#${source.git.ref}${source.git.commit === '' ? '' : `@${source.git.commit}`}`;
}

/** What a reader takes for the version: '4.0.0', or a tag of git; empty where there is none. */
export function versionText(source: PackageSource | null): string {
  if (source?.kind === 'registry') return source.version;
  return source?.kind === 'git' ? source.git.ref : '';
}

/** Folder of a fetched package below `.mops`, as mops itself lays them out. */
export function mopsFolder({ name, source }: Dependency): string | null {
  if (source.kind === 'folder') return null;
  if (source.kind === 'registry') return `.mops/${registryName(name)}@${source.version}`;
  const { ref, commit } = source.git;
  return `.mops/_github/${name}#${ref.replaceAll('/', '___')}${commit === '' ? '' : `@${commit}`}`;
}
