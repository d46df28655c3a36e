import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { SiteFile } from '../../build/publish-directory.ts';
import { AppError } from '../../errors.ts';
import { type AssetConfiguration, AssetConfigurations, RULE_FILES } from '../../ic/asset-configuration.ts';
import type { AssetFile } from '../../ic/asset-file.ts';
import { type AssetRule, parseAssetRules } from '../../ic/asset-rules.ts';
import { contentTypeOf } from '../../ic/content-type.ts';

/** How many paths a line names. */
const NAMED = 5;

interface SiteAssets {
  readonly files: readonly AssetFile[];
  /** What the author of the site should know, for the log. */
  readonly remarks: readonly string[];
}

async function rulesOf(files: readonly SiteFile[]): Promise<Map<string, readonly AssetRule[]>> {
  const rules = new Map<string, readonly AssetRule[]>();
  for (const { path, file } of files.filter((each) => RULE_FILES.includes(posix.basename(each.path)))) {
    const parent = posix.dirname(path);
    const folder = parent === '.' ? '' : parent;
    if (rules.has(folder)) {
      throw new AppError(
        'invalid_input',
        `'${parent}' has both ${RULE_FILES.join(' and ')}. Keep one of them.`,
      );
    }
    rules.set(folder, parseAssetRules(await readFile(file, 'utf8'), path));
  }
  return rules;
}

function assetFile({ path, file }: SiteFile, configuration: AssetConfiguration): AssetFile {
  const key = `/${path}`;
  const { maxAge, headers, enableAliasing, allowRawAccess, encodings } = configuration;
  return {
    key,
    path: file,
    contentType: contentTypeOf(key),
    allowRawAccess,
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(headers === undefined ? {} : { headers }),
    ...(enableAliasing === undefined ? {} : { enableAliasing }),
    ...(encodings === undefined ? {} : { encoders: encodings }),
  };
}

function named(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return `${paths.slice(0, NAMED).join(', ')}${more}`;
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
      "The policy 'hardened' expects headers of the site's own, and there are none",
    ],
  ];
  return groups.filter(([paths]) => paths.length > 0).map(([paths, text]) => `${text}: ${named(paths)}.`);
}

/**
 * What of a site is published and how, by its `.ic-assets.json5` files and the rules of the reference tools.
 * @throws AppError `invalid_input` when a file of rules cannot be used
 */
export async function siteAssets(files: readonly SiteFile[]): Promise<SiteAssets> {
  const rules = await rulesOf(files);
  const configurations = new AssetConfigurations(rules);
  const published = files.filter(({ path }) => configurations.publishes(path));
  const configured = new Map(published.map((file) => [file.path, configurations.of(file.path)] as const));
  const remarks: string[] = [];
  const left = files.filter(
    ({ path }) => !configured.has(path) && !RULE_FILES.includes(posix.basename(path)),
  );
  if (left.length > 0)
    remarks.push(`Hidden or ignored, not published: ${named(left.map(({ path }) => path))}.`);
  for (const { folder, pattern } of configurations.unused()) {
    remarks.push(`A rule of '${folder || '.'}' matches nothing: ${pattern}.`);
  }
  if (rules.size > 0) remarks.push(...policyRemarks(configured));
  if (configured.size === 0)
    throw new AppError('invalid_input', 'All files of the site are hidden or ignored.');
  return {
    files: published.map((file) => assetFile(file, configurations.of(file.path))),
    remarks,
  };
}
