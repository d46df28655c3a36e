import { posix } from 'node:path';
import {
  type AssetConfiguration,
  AssetConfigurations,
  RULE_FILES,
  SITE_FILES,
  withFileHeaders,
} from '../../../ic/assets/asset-configuration.ts';
import { type AssetRule, parseAssetRules, SiteRulesError } from '../../../ic/assets/asset-rules.ts';
import { HEADERS_FILE, SiteHeaders } from '../../../ic/assets/headers-file.ts';
import type { RedirectRule } from '../../../ic/assets/redirect-rules.ts';
import { type LineProblem, REDIRECTS_FILE, RedirectsReader } from '../../../ic/assets/redirects-file.ts';
import { SiteAddresses } from '../../../ic/assets/site-addresses.ts';

/** What the thread of a site is given. */
export interface SiteRequest {
  /** Paths of all files of the site. */
  readonly paths: readonly string[];
  /** Their texts; null for one that is too long. */
  readonly ruleFiles: readonly { readonly path: string; readonly text: string | null }[];
}

/** What holds for the files of a site, small enough to be handed from thread to thread. */
export interface ConfiguredSite {
  readonly configurations: readonly AssetConfiguration[];
  /** For each path of the request the place of its configuration, or -1 where it is not published. */
  readonly places: Int32Array;
  /** What its canister answers for paths without a file. */
  readonly redirects: readonly RedirectRule[];
  /** Patterns of paths that lines of `_redirects` lead on from. */
  readonly redirected: readonly string[];
  /** Lines of files of rules that have no effect, with the reason. */
  readonly lineProblems: readonly string[];
  /** Lines of `_redirects` that lead to nothing, with where they lead. */
  readonly missing: readonly string[];
  /** What the author of the site should know, for the log. */
  readonly remarks: readonly string[];
}

/** Bytes of one file of rules; the longest seen in public repositories has 6 kB. */
export const RULE_FILE_LIMIT = 256 * 1024;
/** Most files of rules in one site. */
export const RULE_FILES_LIMIT = 200;
/** How many paths a line names, and how many lines there are about rules that match nothing. */
const NAMED = 5;
const UNUSED_NAMED = 20;

/**
 * Applies the files of rules of a site (`.ic-assets.json5`, `_headers`, `_redirects`) to its paths. Its work grows with paths times rules, so that only a
 * thread may do it for a site with rules or many files.
 * @throws SiteRulesError when a file of rules cannot be used
 */
export function configureSite({ paths, ruleFiles }: SiteRequest): ConfiguredSite {
  const rules = ruleFiles.filter(({ path }) => !SITE_FILES.includes(path));
  const site = new AssetConfigurations(rulesOf(rules));
  const headers = new SiteHeaders(textOf(ruleFiles, HEADERS_FILE));
  const published = new Map(
    paths.filter((path) => site.publishes(path)).map((path) => [path, site.of(path)] as const),
  );
  const addresses = new SiteAddresses(
    new Map([...published].map(([path, { enableAliasing }]) => [`/${path}`, enableAliasing !== false])),
  );
  const configured = new Configurations(headers, addresses);
  const places = Int32Array.from(paths, (path) => {
    const own = published.get(path);
    return own === undefined ? -1 : configured.placeOf(path, own);
  });
  const reader = new RedirectsReader(addresses, (path) => headers.ofRedirect(path));
  const redirects = reader.read(textOf(ruleFiles, REDIRECTS_FILE));
  const isRules = (path: string): boolean =>
    RULE_FILES.includes(posix.basename(path)) || SITE_FILES.includes(path);
  const left = paths.filter((path) => !published.has(path) && !isRules(path));
  const remarks = left.length === 0 ? [] : [`Hidden or ignored, not published: ${named(left)}.`];
  remarks.push(...unusedRemarks(site.unused()));
  if (rules.length > 0) remarks.push(...policyRemarks(published));
  if (redirects.rules.length > 0)
    remarks.push(
      `${REDIRECTS_FILE}: ${redirects.rules.length} ${redirects.rules.length === 1 ? 'rule' : 'rules'} for the canister.`,
    );
  return {
    configurations: configured.all,
    places,
    redirects: redirects.rules,
    redirected: redirects.from,
    lineProblems: [
      ...linesOf(REDIRECTS_FILE, redirects.problems),
      ...linesOf(HEADERS_FILE, headers.problems),
    ],
    missing: linesOf(REDIRECTS_FILE, redirects.missing),
    remarks,
  };
}

function linesOf(file: string, problems: readonly LineProblem[]): string[] {
  return problems.map(({ line, text }) => `${file} line ${line}: ${text}`);
}

/** The text of a file in the publish directory; empty without one. @throws SiteRulesError for one that is too long */
function textOf(files: SiteRequest['ruleFiles'], path: string): string {
  const text = files.find((file) => file.path === path)?.text;
  if (text === null) throw new SiteRulesError(`${path} is larger than ${RULE_FILE_LIMIT / 1024} kB.`);
  return text ?? '';
}

/** What holds for the files of a site, each configuration once. */
class Configurations {
  readonly #headers: SiteHeaders;
  readonly #addresses: SiteAddresses;
  readonly #places = new Map<AssetConfiguration, Map<object, number>>();
  readonly all: AssetConfiguration[] = [];

  constructor(headers: SiteHeaders, addresses: SiteAddresses) {
    this.#headers = headers;
    this.#addresses = addresses;
  }

  placeOf(path: string, own: AssetConfiguration): number {
    const fromFile = this.#headers.of(this.#addresses.addressesOf(`/${path}`));
    const places = this.#places.get(own) ?? new Map<object, number>();
    this.#places.set(own, places);
    const known = places.get(fromFile);
    if (known !== undefined) return known;
    const place = this.all.push(withFileHeaders(own, fromFile, path)) - 1;
    places.set(fromFile, place);
    return place;
  }
}

function rulesOf(files: SiteRequest['ruleFiles']): Map<string, readonly AssetRule[]> {
  const rules = new Map<string, readonly AssetRule[]>();
  for (const { path, text } of files) {
    const parent = posix.dirname(path);
    const folder = parent === '.' ? '' : parent;
    if (rules.has(folder)) {
      throw new SiteRulesError(`'${parent}' has both ${RULE_FILES.join(' and ')}. Keep one of them.`);
    }
    if (text === null) throw new SiteRulesError(`${path} is larger than ${RULE_FILE_LIMIT / 1024} kB.`);
    rules.set(folder, parseAssetRules(text, path));
  }
  return rules;
}

function named(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return `${paths.slice(0, NAMED).join(', ')}${more}`;
}

function unusedRemarks(unused: ReturnType<AssetConfigurations['unused']>): string[] {
  const lines = unused
    .slice(0, UNUSED_NAMED)
    .map(({ folder, pattern }) => `A rule of '${folder || '.'}' matches nothing: ${pattern}.`);
  const more = unused.length - lines.length;
  return more > 0 ? [...lines, `${more} more rules match nothing.`] : lines;
}

/** Advice on the security policy, to those who write rules: the words of the reference tools in short. */
function policyRemarks(configured: ReadonlyMap<string, AssetConfiguration>): string[] {
  const having = (is: (configuration: AssetConfiguration) => boolean) =>
    [...configured].filter(([, configuration]) => is(configuration)).map(([path]) => path);
  const groups: [string[], string][] = [
    [
      having(({ securityPolicy, warns }) => warns && securityPolicy === undefined),
      'No security policy is set; \'security_policy: "standard"\' in .ic-assets.json5 sets one',
    ],
    [
      having(({ securityPolicy, warns }) => warns && securityPolicy === 'standard'),
      'The standard security policy can be made stricter for this site',
    ],
    [
      having(({ securityPolicy, ownHeaders }) => securityPolicy === 'hardened' && !ownHeaders),
      "The policy 'hardened' expects rules with headers, and there are none",
    ],
  ];
  return groups.filter(([paths]) => paths.length > 0).map(([paths, text]) => `${text}: ${named(paths)}.`);
}
