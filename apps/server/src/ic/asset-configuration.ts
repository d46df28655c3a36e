import { posix } from 'node:path';
import type { Header } from './asset-interface.ts';
import type { AssetRule, Encoder } from './asset-rules.ts';
import { type SecurityPolicy, securityHeaders } from './asset-security-policy.ts';

/** The files that hold rules; a folder has at most one of them. */
export const RULE_FILES: readonly string[] = ['.ic-assets.json', '.ic-assets.json5'];
/** Folders that are published though their names begin with a dot. */
const KNOWN_FOLDERS = new Set(['.well-known']);

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
}

/** The rules of a site by the folders they are in, applied as the reference tools do: outer folders first. */
export class AssetConfigurations {
  readonly #rules: ReadonlyMap<string, readonly AssetRule[]>;
  readonly #used = new Set<AssetRule>();

  /** `rules` by folder, relative to the site; empty for the site itself. */
  constructor(rules: ReadonlyMap<string, readonly AssetRule[]>) {
    this.#rules = rules;
  }

  /** What holds for a path of the site, which has no slash at its beginning. */
  of(path: string): AssetConfiguration {
    const matching = foldersAbove(path).flatMap((folder) => {
      const relative = folder === '' ? path : path.slice(folder.length + 1);
      return (this.#rules.get(folder) ?? []).filter((rule) => rule.expression.test(relative));
    });
    for (const rule of matching) this.#used.add(rule);
    return merged(matching);
  }

  /** Whether a path is published: no rule ignores it or a folder it is in, and no name in it begins with a dot. */
  publishes(path: string): boolean {
    const parts = path.split('/');
    return parts.every((name, index) => {
      const isFolder = index < parts.length - 1;
      if (!isFolder && RULE_FILES.includes(name)) return false;
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
