import { posix } from 'node:path';
import type { Header } from '../replies/listed-asset.ts';
import { type AssetRule, type Encoder, SiteRulesError } from './asset-rules.ts';
import { type FileHeaders, HEADERS_FILE } from './headers-file.ts';
import { REDIRECTS_FILE } from './redirects-file.ts';
import { type SecurityPolicy, securityHeaders } from './asset-security-policy.ts';

/** The files that hold rules; a folder has at most one of them. */
export const RULE_FILES: readonly string[] = ['.ic-assets.json', '.ic-assets.json5'];
/** Files of rules in the publish directory itself, as other hosts have them. */
export const SITE_FILES: readonly string[] = [REDIRECTS_FILE, HEADERS_FILE];
/** Folders that are published though their names begin with a dot. */
const KNOWN_FOLDERS = new Set(['.well-known']);

/** Characters of all headers of a file together: what HTTP clients take by default (16 KiB in Node and many proxies). */
const HEADERS_LIMIT = 16 * 1024;

/** What the rules say of one path. */
export interface AssetConfiguration {
  readonly maxAge: number | undefined;
  /** The site's own headers and those of the policy that these do not replace; absent if nothing sets any. */
  readonly headers: readonly Header[] | undefined;
  readonly ownHeaders: boolean;
  readonly ignore: boolean | undefined;
  readonly enableAliasing: boolean | undefined;
  readonly allowRawAccess: boolean;
  readonly encodings: readonly Encoder[] | undefined;
  readonly securityPolicy: SecurityPolicy | undefined;
  readonly warns: boolean;
  /** Where the site sets it; else it follows from the name of the file. */
  readonly contentType?: string;
}

/** The rules of a site by the folders they are in, applied as the reference tools do: outer folders first. */
export class AssetConfigurations {
  readonly #rules: ReadonlyMap<string, readonly AssetRule[]>;
  readonly #numbers: ReadonlyMap<AssetRule, number>;
  readonly #used = new Set<AssetRule>();
  /** What holds for a path, and what holds where the same rules match: a folder is asked for with each of its files. */
  readonly #byPath = new Map<string, AssetConfiguration>();
  readonly #byRules = new Map<string, AssetConfiguration>();

  /** `rules` by folder, relative to the site; empty for the site itself. */
  constructor(rules: ReadonlyMap<string, readonly AssetRule[]>) {
    this.#rules = rules;
    this.#numbers = new Map([...rules.values()].flat().map((rule, index) => [rule, index]));
  }

  /**
   * What holds for a path of the site, which has no slash at its beginning. One object for all paths that the same
   * rules match.
   * @throws SiteRulesError when they give it more headers than HTTP clients take
   */
  of(path: string): AssetConfiguration {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const configuration = this.#find(path);
    this.#byPath.set(path, configuration);
    return configuration;
  }

  #find(path: string): AssetConfiguration {
    const matching = foldersAbove(path).flatMap((folder) => {
      const relative = folder === '' ? path : path.slice(folder.length + 1);
      return (this.#rules.get(folder) ?? []).filter((rule) => rule.glob.matches(relative));
    });
    const key = matching.map((rule) => this.#numbers.get(rule)).join();
    const known = this.#byRules.get(key);
    if (known !== undefined) return known;
    for (const rule of matching) this.#used.add(rule);
    const configuration = merged(matching);
    checkSize(configuration, path);
    this.#byRules.set(key, configuration);
    return configuration;
  }

  /** Whether a path is published: no rule ignores it or a folder it is in, and no name in it begins with a dot. */
  publishes(path: string): boolean {
    const parts = path.split('/');
    return parts.every((name, index) => {
      const isFolder = index < parts.length - 1;
      if (!isFolder && RULE_FILES.includes(name)) return false;
      if (SITE_FILES.includes(path)) return false;
      const { ignore } = this.of(parts.slice(0, index + 1).join('/'));
      return ignore === undefined ? !name.startsWith('.') || (isFolder && KNOWN_FOLDERS.has(name)) : !ignore;
    });
  }

  /** Rules that no path so far asked for matched, with their folders. */
  unused(): { readonly folder: string; readonly pattern: string }[] {
    return [...this.#rules].flatMap(([folder, rules]) =>
      rules.filter((rule) => !this.#used.has(rule)).map(({ pattern }) => ({ folder, pattern })),
    );
  }
}

/** @throws SiteRulesError */
function checkSize({ headers = [] }: AssetConfiguration, path: string): void {
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > HEADERS_LIMIT)
    throw new SiteRulesError(`The rules give ${path} more than ${HEADERS_LIMIT} bytes of headers.`);
}

/**
 * The configuration of a path with what `_headers` says of it, which goes before what other files say of the same header.
 * @throws SiteRulesError when HTTP clients do not take as many headers
 */
export function withFileHeaders(
  configuration: AssetConfiguration,
  { headers, contentType }: FileHeaders,
  path: string,
): AssetConfiguration {
  if (headers.length === 0 && contentType === undefined) return configuration;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = (configuration.headers ?? []).filter(([name]) => !names.has(name.toLowerCase()));
  const all = {
    ...configuration,
    ...(headers.length === 0 ? {} : { headers: [...kept, ...headers], ownHeaders: true }),
    ...(contentType === undefined ? {} : { contentType }),
  };
  checkSize(all, path);
  return all;
}

/** The folders a path is in, from the outermost, which is the site. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder))
    folders.unshift(folder);
  return ['', ...folders];
}

function last<T>(rules: readonly AssetRule[], field: (rule: AssetRule) => T | undefined): T | undefined {
  return rules.map(field).findLast((value) => value !== undefined);
}

function merged(rules: readonly AssetRule[]): AssetConfiguration {
  let own: Map<string, string> | undefined;
  for (const { headers } of rules) {
    if (headers === null) own = undefined;
    else if (headers !== undefined) own = new Map([...(own ?? []), ...headers]);
  }
  const securityPolicy = last(rules, (rule) => rule.securityPolicy);
  return {
    maxAge: last(rules, (rule) => rule.cache)?.maxAge,
    headers: combined(own, securityPolicy),
    ownHeaders: own !== undefined && own.size > 0,
    ignore: last(rules, (rule) => rule.ignore),
    enableAliasing: last(rules, (rule) => rule.enableAliasing),
    // The default of the reference tools.
    allowRawAccess: last(rules, (rule) => rule.allowRawAccess) ?? true,
    encodings: last(rules, (rule) => rule.encodings),
    securityPolicy,
    warns: last(rules, (rule) => rule.disableSecurityPolicyWarning) !== true,
  };
}

function combined(
  own: ReadonlyMap<string, string> | undefined,
  policy: SecurityPolicy | undefined,
): readonly Header[] | undefined {
  if (own === undefined && policy === undefined) return undefined;
  const names = new Set([...(own?.keys() ?? [])].map((name) => name.toLowerCase()));
  const added =
    policy === undefined ? [] : securityHeaders(policy).filter(([name]) => !names.has(name.toLowerCase()));
  return [...(own ?? []), ...added].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
