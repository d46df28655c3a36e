import { posix } from 'node:path';
import {
  type AssetConfiguration,
  AssetConfigurations,
  RULE_FILES,
} from '../../../ic/assets/asset-configuration.ts';
import { type AssetRule, parseAssetRules, SiteRulesError } from '../../../ic/assets/asset-rules.ts';

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
 * Applies the `.ic-assets.json5` files of a site to its paths. Its work grows with paths times rules, so that only a
 * thread may do it for a site with rules or many files.
 * @throws SiteRulesError when a file of rules cannot be used
 */
export function configureSite({ paths, ruleFiles }: SiteRequest): ConfiguredSite {
  const site = new AssetConfigurations(rulesOf(ruleFiles));
  const known = new Map<AssetConfiguration, number>();
  const published = new Map<string, AssetConfiguration>();
  const places = Int32Array.from(paths, (path) => {
    if (!site.publishes(path)) return -1;
    const configuration = site.of(path);
    published.set(path, configuration);
    if (!known.has(configuration)) known.set(configuration, known.size);
    return known.get(configuration) ?? -1;
  });
  const left = paths.filter((path) => !published.has(path) && !RULE_FILES.includes(posix.basename(path)));
  const remarks = left.length === 0 ? [] : [`Hidden or ignored, not published: ${named(left)}.`];
  remarks.push(...unusedRemarks(site.unused()));
  if (ruleFiles.length > 0) remarks.push(...policyRemarks(published));
  return { configurations: [...known.keys()], places, remarks };
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
