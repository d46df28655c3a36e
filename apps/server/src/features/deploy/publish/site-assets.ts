import { posix } from 'node:path';
import type { SiteFile } from '../../../builders/site/publish-directory.ts';
import { BuildError } from '../../../builders/build-error.ts';
import { AppError } from '../../../errors.ts';
import { type AssetConfiguration, RULE_FILES, SITE_FILES } from '../../../ic/assets/asset-configuration.ts';
import type { AssetFile } from '../../../ic/assets/asset-file.ts';
import { SiteRulesError } from '../../../ic/assets/asset-rules.ts';
import { contentTypeOf } from '../../../ic/assets/content-type.ts';
import { pathOf, type RedirectRule } from '../../../ic/assets/redirect-rules.ts';
import { runInThread, ThreadError, ThreadRefusal } from '../../../thread/run-in-thread.ts';
import {
  type ConfiguredSite,
  configureSite,
  RULE_FILE_LIMIT,
  RULE_FILES_LIMIT,
  type SiteRequest,
} from './configure-site.ts';

/** The files of a site as its canister gets them. */
export interface SiteAssets {
  readonly files: readonly AssetFile[];
  /** What its canister answers for paths without a file. */
  readonly redirects: readonly RedirectRule[];
  /** What the author of the site should know, for the log. */
  readonly remarks: readonly string[];
}

/** The same of a site that has just been built. */
export interface BuiltAssets extends SiteAssets {
  /** What the check of the site is to know of its files of rules. */
  readonly rules: Pick<ConfiguredSite, 'redirected' | 'lineProblems' | 'missing'>;
}

/** A site of so few files, without rules, is looked at on the spot, in some milliseconds. */
const FEW_FILES = 500;
/** Bounds of applying the rules of a site; 20,000 files and 100 rules take 5 s and 60 MB. */
const TIMEOUT_MS = 30_000;
const HEAP_MEGABYTES = 256;

/** The assets of sites that were asked for: the check of a site asks before its publication does. */
const known = new WeakMap<readonly SiteFile[], Promise<BuiltAssets>>();

/**
 * What of a site is published and how, by its files of rules (`.ic-assets.json5`, `_headers`, `_redirects`) and the rules of
 * the reference tools. The same list of files is looked at once.
 * @throws AppError `invalid_input` when a file of rules cannot be used, or its rules take too long; BuildError when there
 * would be no page at the site's address
 */
export function siteAssets(files: readonly SiteFile[], signal?: AbortSignal): Promise<BuiltAssets> {
  const assets = known.get(files) ?? assetsOf(files, signal);
  known.set(files, assets);
  return assets;
}

async function assetsOf(files: readonly SiteFile[], signal?: AbortSignal): Promise<BuiltAssets> {
  const isRules = ({ path }: SiteFile): boolean =>
    RULE_FILES.includes(posix.basename(path)) || SITE_FILES.includes(path);
  const ruleFiles = await ruleTexts(files.filter(isRules));
  const request = { paths: files.map(({ path }) => path), ruleFiles };
  const onTheSpot = ruleFiles.length === 0 && files.length <= FEW_FILES;
  const work = onTheSpot ? Promise.try(configureSite, request) : configureInThread(request, signal);
  const { configurations, places, redirects, remarks, ...rules } = await work.catch(refuse);
  const published = files.flatMap((file, index) => {
    const configuration = configurations[places[index] ?? -1];
    return configuration === undefined ? [] : [assetFile(file, configuration)];
  });
  if (published.length === 0)
    throw new AppError('invalid_input', 'All files of the site are hidden or ignored.');
  if (!redirects.some(isForStart)) checkStartPage(published);
  return { files: published, redirects, rules, remarks };
}

/** Whether visitors of `/` are answered by a rule: with a page, or by being led elsewhere. */
function isForStart({ from, status }: RedirectRule): boolean {
  return status < 400 && pathOf(from) === '/' && !('Pattern' in from);
}

const START_PAGE = '/index.html';
/** Folders that are named. */
const NAMED = 5;

/** @throws BuildError when nothing would be served at `/`, which is where visitors come in */
function checkStartPage(files: readonly AssetFile[]): void {
  const start = files.find(({ key }) => key === START_PAGE);
  // The start page answers for `/` as an alias, or as the page for what is not found.
  const isServed = start?.enableAliasing !== false || !files.some(({ key }) => key === '/404.html');
  if (start !== undefined && isServed) return;
  const folders = files
    .filter(({ key }) => key.endsWith(START_PAGE) && key !== START_PAGE)
    .map(({ key }) => key.slice(1, -START_PAGE.length))
    .toSorted((a, b) => a.split('/').length - b.split('/').length)
    .slice(0, NAMED);
  const hint =
    folders.length > 0
      ? `There is an index.html in ${folders.join(', ')}: is that the publish directory?`
      : 'Does the site have to be built first? Set a build command, and as publish directory the folder into which it writes index.html.';
  throw new BuildError(
    start === undefined
      ? `The site has no page at its address: the publish directory has no index.html. Nothing was changed. ${hint}`
      : `The site has no page at its address: its rules (.ic-assets.json5) switch the alias of index.html off. Nothing was changed.`,
  );
}

/** The texts of files of rules. @throws AppError invalid_input for too many */
async function ruleTexts(files: readonly SiteFile[]): Promise<SiteRequest['ruleFiles']> {
  if (files.length > RULE_FILES_LIMIT)
    refuse(new SiteRulesError(`The site has more than ${RULE_FILES_LIMIT} files of rules.`));
  const texts: { path: string; text: string | null }[] = [];
  for (const { path, size, read } of files)
    texts.push({ path, text: size > RULE_FILE_LIMIT ? null : Buffer.from(await read()).toString('utf8') });
  return texts;
}

function configureInThread(request: SiteRequest, signal?: AbortSignal): Promise<ConfiguredSite> {
  return runInThread<ConfiguredSite>({
    module: new URL('./configure-site-worker.ts', import.meta.url),
    request,
    heapMegabytes: HEAP_MEGABYTES,
    timeoutMs: TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
}

function refuse(error: unknown): never {
  if (error instanceof SiteRulesError || error instanceof ThreadRefusal)
    throw new AppError('invalid_input', error.message, { cause: error });
  if (!(error instanceof ThreadError)) throw error;
  throw new AppError(
    'invalid_input',
    `The files of rules cannot be applied to this site: ${error.message}. Use fewer or simpler rules.`,
    { cause: error },
  );
}

function assetFile({ path, read }: SiteFile, configuration: AssetConfiguration): AssetFile {
  const key = `/${path}`;
  const { maxAge, headers, enableAliasing, allowRawAccess, encodings, contentType } = configuration;
  return {
    key,
    read,
    contentType: contentType ?? contentTypeOf(key),
    allowRawAccess,
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(headers === undefined ? {} : { headers }),
    ...(enableAliasing === undefined ? {} : { enableAliasing }),
    ...(encodings === undefined ? {} : { encoders: encodings }),
  };
}
