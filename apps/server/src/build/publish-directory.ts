import type { Dirent } from 'node:fs';
import { lstat, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { BuildError } from './step-runner.ts';

/** A file of the site. */
export interface SiteFile {
  /** Path in the publish directory, with '/' between its parts. */
  readonly path: string;
  readonly file: string;
  readonly size: number;
}

export interface Site {
  readonly files: SiteFile[];
  readonly bytes: number;
  /** Some of the paths that are not published, with the reason. */
  readonly left: { readonly path: string; readonly reason: string }[];
  /** How many are not published. */
  readonly leftCount: number;
}

/** What a site may have; settings of the operator. */
export interface SiteLimits {
  readonly files: number;
  readonly megabytes: number;
}

/** Folders and files a walk looks at for each file that may be published: a build can leave much else behind. */
const SEEN_FOR_EACH = 5;
/** How many paths that are not published are told, with the reason. */
const LEFT_TOLD = 50;
/** Control characters, and characters that change the direction of text or cannot be seen: nobody could tell such names apart. */
// oxlint-disable-next-line no-control-regex -- these characters are what the expression is about
const UNSHOWABLE = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;
/** Never part of a site: they are how it is made. */
const NEVER_PUBLISHED = new Set(['.git', 'node_modules']);

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

async function foldersIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && !NEVER_PUBLISHED.has(entry.name))
    .map(({ name }) => name)
    .sort();
  return names.length === 0 ? 'none' : names.slice(0, 20).join(', ');
}

/**
 * The folder to publish, with all links resolved.
 * @param wanted relative to the checkout; empty for the checkout itself
 * @throws BuildError when it does not exist, is no directory, or leads out of the checkout
 */
export async function publishFolder(source: string, wanted: string): Promise<string> {
  const directory = wanted.trim() === '' ? '.' : wanted.trim();
  const root = await realpath(source);
  const relative = posix.normalize(directory.replaceAll('\\', '/')).replace(/^\/+/, '');
  if (relative.split('/').includes('..')) {
    throw new BuildError(
      `The publish directory '${directory}' is outside the repository. Name one inside it.`,
    );
  }
  const folder = await realpath(join(root, relative)).catch(() => null);
  if (folder === null) {
    throw new BuildError(
      `The publish directory '${directory}' does not exist after the build. Directories present: ${await foldersIn(root)}.`,
    );
  }
  if (!isInside(folder, root)) {
    throw new BuildError(`The publish directory '${directory}' is a link to a place outside the repository.`);
  }
  if (!(await stat(folder)).isDirectory()) {
    throw new BuildError(
      `The publish directory '${directory}' is a file. Name the directory that holds the site.`,
    );
  }
  return folder;
}

/**
 * Lists the files of a site. Links count as what they lead to, as long as that is a file inside the checkout; what a
 * build has left behind besides files and folders is not published.
 * @throws BuildError when there is nothing to publish or it is too much
 */
export async function listSite(source: string, folder: string, limits: SiteLimits): Promise<Site> {
  const root = await realpath(source);
  const site: Listing = { files: [], bytes: 0, left: [], leftCount: 0 };
  const pending = [''];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for await (const entry of entriesOf(site, folder, next)) {
      seen += 1;
      if (seen > limits.files * SEEN_FOR_EACH) throw tooMany(limits);
      if (NEVER_PUBLISHED.has(entry.name)) continue;
      const path = posix.join(next, entry.name);
      const problem = nameProblem(entry.name);
      if (problem !== null) leave(site, path, problem);
      else if (entry.isDirectory()) pending.push(path);
      else await addFile(site, root, join(folder, path), path, limits);
    }
  }
  if (site.files.length === 0) {
    throw new BuildError(
      'The publish directory is empty. Check that the build command writes the site into it.',
    );
  }
  site.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return site;
}

type Listing = Site & { bytes: number; leftCount: number };

function leave(site: Listing, path: string, reason: string): void {
  site.leftCount += 1;
  if (site.left.length < LEFT_TOLD) site.left.push({ path, reason });
}

function nameProblem(name: string): string | null {
  // What is not UTF-8 is read with this mark in it.
  if (!name.isWellFormed() || name.includes('\uFFFD')) return 'its name is not valid UTF-8';
  return UNSHOWABLE.test(name) ? 'its name has control or invisible characters' : null;
}

/** What is in a folder, one by one: a folder of a million names is never in memory as a whole. */
async function* entriesOf(site: Listing, folder: string, path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(join(folder, path));
  } catch (error) {
    if (error instanceof BuildError || !isSystemError(error)) throw error;
    leave(site, path === '' ? '.' : path, `it cannot be read (${error.code})`);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function tooMany({ files }: SiteLimits): BuildError {
  return new BuildError(
    `The publish directory has more than ${files} files to publish, or too many other files and folders (SITE_MAX_FILES). ` +
      'Publish less, or ask the operator to raise the limit.',
  );
}

async function addFile(
  site: Listing,
  root: string,
  file: string,
  path: string,
  limits: SiteLimits,
): Promise<void> {
  const target = await realpath(file).catch(() => null);
  if (target === null || !isInside(target, root)) {
    leave(site, path, 'it is a link that leads out of the repository');
    return;
  }
  const found = await lstat(target);
  if (!found.isFile()) {
    leave(site, path, 'it is neither a file nor a folder');
    return;
  }
  site.files.push({ path, file: target, size: found.size });
  site.bytes += found.size;
  if (site.files.length > limits.files) throw tooMany(limits);
  if (site.bytes > limits.megabytes * 1024 ** 2) {
    throw new BuildError(
      `The site is larger than ${limits.megabytes} MB (SITE_MAX_MB). Publish less, or ask the operator to raise the limit.`,
    );
  }
}
