import { lstat, readdir, realpath, stat } from 'node:fs/promises';
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
  /** Paths that are not published, with the reason. */
  readonly left: { readonly path: string; readonly reason: string }[];
}

/** Most files of a site. */
const FILE_LIMIT = 50_000;
/** Most bytes of a site: what fits a canister with room to spare (the stable memory of one canister is larger). */
const SITE_LIMIT = 1024 ** 3;
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
export async function listSite(source: string, folder: string): Promise<Site> {
  const root = await realpath(source);
  const site: Site & { bytes: number } = { files: [], bytes: 0, left: [] };
  const pending = [''];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of await readdir(join(folder, next), { withFileTypes: true })) {
      const path = posix.join(next, entry.name);
      if (NEVER_PUBLISHED.has(entry.name)) continue;
      if (entry.isDirectory()) pending.push(path);
      else await addFile(site, root, join(folder, path), path);
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

async function addFile(
  site: Site & { bytes: number },
  root: string,
  file: string,
  path: string,
): Promise<void> {
  const target = await realpath(file).catch(() => null);
  if (target === null || !isInside(target, root)) {
    site.left.push({ path, reason: 'it is a link that leads out of the repository' });
    return;
  }
  const found = await lstat(target);
  if (!found.isFile()) {
    site.left.push({ path, reason: 'it is neither a file nor a folder' });
    return;
  }
  if (!path.isWellFormed() || path.includes('\uFFFD')) {
    site.left.push({ path, reason: 'its name is not valid UTF-8' });
    return;
  }
  site.files.push({ path, file: target, size: found.size });
  site.bytes += found.size;
  if (site.files.length > FILE_LIMIT || site.bytes > SITE_LIMIT) {
    throw new BuildError(
      `The site is too large: more than ${FILE_LIMIT} files or ${SITE_LIMIT / 1024 ** 2} MB. Publish less.`,
    );
  }
}
