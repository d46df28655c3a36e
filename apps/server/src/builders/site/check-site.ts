import { posix } from 'node:path';
import type { SiteWarning } from '@cannery/contract';
import { z } from 'zod';
import type { BuildRun } from '../step/step-runner.ts';
import { checked, type TenantFolder } from '../tenant/tenant-folder.ts';
import { sizeText } from './amount-text.ts';
import type { PlacedFile } from './publish-directory.ts';
import { plainWarning, type WarningKind, warningKinds, warningOf } from './site-warning.ts';

/** A file that the canister of a site gets. */
export interface ServedFile {
  readonly path: string;
  /** Whether the canister answers with it for other addresses too, such as `/about` for `about.html`. */
  readonly hasAliases: boolean;
}

/** What the site check knows of a deploy. */
export interface SiteCheck {
  /** Values of secrets by the names of their variables. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Paths of the checkout that are symbolic links in the repository. */
  readonly links: readonly string[];
  /** What of a site its canister gets. @throws AppError when that cannot be told, and the site not be published */
  servedOf(files: readonly PlacedFile[]): Promise<ServedSite>;
}

/** What a site serves, and what is wrong with its files of rules. */
interface ServedSite {
  readonly files: readonly ServedFile[];
  /** Patterns of paths from which visitors are led on. */
  readonly redirected: readonly string[];
  /** Lines that have no effect, with the reason. */
  readonly lineProblems: readonly string[];
  /** Lines that lead to nothing, with where they lead. */
  readonly missing: readonly string[];
}

/** Bounds of a check. */
export interface CheckLimits {
  /** Milliseconds after which it answers what it has. */
  readonly millis: number;
  /** Bytes of pages and styles together, and of one of them. */
  readonly pageBytes: number;
  readonly pageFile: number;
  /** Bytes in which secrets are looked for. */
  readonly secretBytes: number;
  /** How many files are named of each kind. */
  readonly told: number;
}

/** What the folder program is asked for; 100 MB of a site take some seconds. */
export const CHECK_LIMITS: CheckLimits = {
  millis: 20_000,
  pageBytes: 64 * 1024 ** 2,
  pageFile: 2 * 1024 ** 2,
  secretBytes: 256 * 1024 ** 2,
  told: 20,
};
/** How long the answer may take after the check was to be over, in milliseconds. */
const ANSWER_MS = 60_000;
/** The least time of a check, where the build has little left, in milliseconds. */
const LEAST_MS = 1_000;
/** A shorter text is in many files by chance. */
const SHORTEST_SECRET = 8;

/** What the folder program says of a site (folder-program/check.mjs). */
const FOUND = z.strictObject({
  found: z
    .array(
      z.tuple([z.enum(warningKinds), z.array(z.string().max(2_000)).max(CHECK_LIMITS.told), z.int().min(0)]),
    )
    .max(warningKinds.length),
  cut: z.enum(['time', 'size']).nullable(),
});

/** Control characters, and characters that change the direction of text or cannot be seen. */
const UNSHOWABLE =
  // oxlint-disable-next-line no-control-regex -- these characters are what the expression is about
  /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const UNFINISHED =
  'The site check could not be finished, so that the site is published without it. Deploy again to have it checked.';

function cutText(cut: 'time' | 'size', { millis, pageBytes, pageFile, secretBytes }: CheckLimits): string {
  const bound =
    cut === 'time'
      ? `ended after ${Math.round(millis / 1000)} seconds`
      : `reads at most ${sizeText(pageBytes)} of pages and styles, ${sizeText(pageFile)} of each, and ${sizeText(secretBytes)} in search of secrets`;
  return `The site check ${bound}, so that it has not seen all of this site. Look at the rest yourself, or publish less.`;
}

/** The texts in which a secret is looked for: as it is, and as programs write it between quotes. */
function formsOf(value: string): string[] {
  const text = value.trim();
  return [...new Set([text, JSON.stringify(text).slice(1, -1)])].filter(
    (form) => form.length >= SHORTEST_SECRET,
  );
}

/** Characters of a line that are told. */
const SHOWN = 300;

function cutLine(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
}

/** What is known of a site beside its files. */
type Known = Pick<SiteCheck, 'secrets' | 'links'> & Omit<ServedSite, 'files'>;

/**
 * Looks for what is wrong with the files of a site, in the folder program and within its bounds.
 * @param files what the canister of the site gets
 * @returns what was found, the worst first
 * @throws BuildError when the folder program fails
 */
export async function checkSite(
  source: TenantFolder,
  files: readonly (PlacedFile & Pick<ServedFile, 'hasAliases'>)[],
  { secrets, links, redirected, lineProblems, missing }: Known,
  limits: CheckLimits = CHECK_LIMITS,
): Promise<SiteWarning[]> {
  const forms = [...secrets].map(([name, value]) => [name, formsOf(value)] as const);
  const request = {
    op: 'checkSite',
    files: files.map(({ path, place, hasAliases }) => [path, place, hasAliases]),
    links,
    redirected,
    secrets: forms,
    limits,
  };
  const { result } = await source.ask(request, { timeoutMs: limits.millis + ANSWER_MS });
  const { found, cut } = checked(FOUND, result);
  const hidden = forms.flatMap(([, texts]) => texts);
  const shown = (entry: string): string =>
    hidden.reduce((text, form) => text.replaceAll(form, '[hidden]'), entry).replaceAll(UNSHOWABLE, '\uFFFD');
  const cutLines = (kind: WarningKind, lines: readonly string[]): typeof found =>
    lines.length === 0
      ? []
      : [[kind, lines.slice(0, limits.told).map(cutLine), Math.max(0, lines.length - limits.told)]];
  const warnings = [...found, ...cutLines('rules', lineProblems), ...cutLines('redirects', missing)]
    .toSorted(([a], [b]) => warningKinds.indexOf(a) - warningKinds.indexOf(b))
    .map(([kind, entries, more]) => warningOf(kind, entries.map(shown), more));
  return cut === null ? warnings : [...warnings, plainWarning(cutText(cut, limits))];
}

/**
 * The warnings about a site that a build has yielded. That it could not be checked is one of them.
 * @param files all files of the site
 * @param folder the folder of the checkout that is the source folder of the run
 * @throws AppError when its canister cannot be told what to serve; the reason of the signal when the run is over
 */
export async function siteWarnings(
  run: BuildRun,
  files: readonly PlacedFile[],
  siteCheck: SiteCheck,
  folder = '',
): Promise<SiteWarning[]> {
  run.signal.throwIfAborted();
  const { files: servedFiles, ...rules } = await siteCheck.servedOf(files);
  const served = new Map(servedFiles.map((file) => [file.path, file]));
  const published = files.flatMap((file) => {
    const { hasAliases } = served.get(file.path) ?? {};
    return hasAliases === undefined ? [] : [{ ...file, hasAliases }];
  });
  const millis = Math.min(CHECK_LIMITS.millis, Math.max(LEAST_MS, run.deadline - performance.now()));
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(run.signal.reason);
  run.signal.addEventListener('abort', end);
  try {
    const known = { ...siteCheck, ...rules, links: linksBelow(siteCheck.links, folder) };
    const check = checkSite(run.folders.source, published, known, { ...CHECK_LIMITS, millis });
    return await Promise.race([check, ended]);
  } catch {
    run.signal.throwIfAborted();
    // What reads the files of the site next must not find a program that has ended.
    await run.folders.restart();
    return [plainWarning(UNFINISHED)];
  } finally {
    run.signal.removeEventListener('abort', end);
  }
}

/** Paths in a folder of the checkout, relative to it. */
function linksBelow(links: readonly string[], folder: string): readonly string[] {
  if (folder === '') return links;
  return links.map((path) => posix.relative(folder, path)).filter((path) => !path.startsWith('..'));
}
