import { posix } from 'node:path';
import { z } from 'zod';
import { BatchReader } from '../source/safe-files.ts';
import { BuildError } from '../build-error.ts';
import { checked, type TenantFolder } from '../tenant/tenant-folder.ts';

/** A file of the site. */
export interface SiteFile {
  /** Path in the publish directory, with '/' between its parts. */
  readonly path: string;
  readonly size: number;
  /** Its content. @throws BuildError when it cannot be read any more */
  read(): Promise<Uint8Array>;
}

/** A file of the site as it is on disk. */
export interface PlacedFile extends SiteFile {
  /** Its path in the source folder, where no part of it is a link. */
  readonly place: string;
}

export interface Site {
  readonly files: PlacedFile[];
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
/** How long the walk may take, in milliseconds. */
const WALK_MS = 5 * 60 * 1000;

const PATH = z.string().max(4_096);
/** What the folder program says of a site (folder-program/site.mjs). */
const LISTED = z.union([
  z.object({
    prefix: PATH,
    files: z.array(z.tuple([PATH, PATH, z.int().min(0)])),
    left: z.array(z.tuple([PATH, z.string().max(100)])).max(LEFT_TOLD),
    leftCount: z.int().min(0),
    bytes: z.number().min(0),
  }),
  z.object({
    problem: z.enum(['none', 'outside', 'file', 'many', 'large']),
    folders: z.array(PATH).max(20).optional(),
  }),
]);

/** What to do where Next.js has built a server, which no canister runs. */
const NEXT_ADVICE =
  " Next.js has built a server: write output: 'export' into its settings, or 'next-export &&' before the build command, which does that for the build.";

const REASONS: Readonly<Record<string, string>> = {
  name: 'its name is not valid UTF-8',
  characters: 'its name has control or invisible characters',
  outside: 'it is a link that leads out of the repository',
  folder: 'it is a link to a folder',
  other: 'it is neither a file nor a folder',
};

/**
 * Lists the files of a site. Links count as what they lead to, as long as that is a file inside the checkout; what a build
 * has left behind besides files and folders is not published.
 * @param wanted the folder to publish, relative to the checkout; empty for the checkout itself
 * @param options.isBuilt whether commands have run that may have made it
 * @throws BuildError when the folder does not exist, is no directory or leads out of the checkout, and when there is nothing to
 * publish or it is too much
 */
export async function listSite(
  source: TenantFolder,
  wanted: string,
  limits: SiteLimits,
  { isBuilt = true }: { readonly isBuilt?: boolean } = {},
): Promise<Site> {
  const directory = wanted.trim() === '' ? '.' : wanted.trim();
  const relative = posix.normalize(directory.replaceAll('\\', '/')).replace(/^\/+/, '');
  if (relative.split('/').includes('..')) {
    throw new BuildError(
      `The publish directory '${directory}' is outside the repository. Name one inside it.`,
    );
  }
  const bounds = {
    mostFiles: limits.files,
    mostBytes: limits.megabytes * 1024 ** 2,
    mostSeen: limits.files * SEEN_FOR_EACH,
    mostLeft: LEFT_TOLD,
  };
  const { result } = await source.ask({ op: 'listSite', path: relative, ...bounds }, { timeoutMs: WALK_MS });
  const found = checked(LISTED, result);
  if ('problem' in found) throw new BuildError(problemText(found, { directory, isBuilt }, limits));
  if (found.files.length === 0) {
    throw new BuildError(
      isBuilt
        ? 'The publish directory is empty. Check that the build command writes the site into it.'
        : `The publish directory '${directory}' is empty, and no build command writes a site into it.`,
    );
  }
  const placed = found.files.map(([path, file, size]) => ({
    path: file === '' ? found.prefix + path : file,
    size,
  }));
  const reader = new BatchReader(source, placed);
  const files = placed.map(({ path: place, size }, index) => ({
    path: found.files[index]?.[0] ?? place,
    place,
    size,
    read: () => reader.read(index),
  }));
  const left = found.left.map(([path, reason]) => ({
    path,
    reason: REASONS[reason] ?? `it cannot be read (${reason})`,
  }));
  return { files, left, leftCount: found.leftCount, bytes: found.bytes };
}

function problemText(
  { problem, folders = [] }: { problem: string; folders?: string[] | undefined },
  { directory, isBuilt }: { readonly directory: string; readonly isBuilt: boolean },
  { files, megabytes }: SiteLimits,
): string {
  switch (problem) {
    case 'none':
      return (
        `The publish directory '${directory}' ${isBuilt ? 'does not exist after the build' : 'does not exist, and no build command makes it'}. ` +
        `Directories present: ${folders.join(', ') || 'none'}.${isBuilt && folders.includes('.next') ? NEXT_ADVICE : ''}`
      );
    case 'outside':
      return `The publish directory '${directory}' is a link to a place outside the repository.`;
    case 'file':
      return `The publish directory '${directory}' is a file. Name the directory that holds the site.`;
    case 'large':
      return `The site is larger than ${megabytes} MB (SITE_MAX_MB). Publish less, or ask the operator to raise the limit.`;
    default:
      return (
        `The publish directory has more than ${files} files to publish, or too many other files and folders (SITE_MAX_FILES). ` +
        'Publish less, or ask the operator to raise the limit.'
      );
  }
}
