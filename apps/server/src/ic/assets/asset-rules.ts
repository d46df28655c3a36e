import JSON5 from 'json5';
import { SECURITY_POLICIES, type SecurityPolicy } from './asset-security-policy.ts';
import { Glob } from '../../glob/glob.ts';

const ENCODERS = ['identity', 'gzip', 'br'] as const;
export type Encoder = (typeof ENCODERS)[number];

/** One rule of `.ic-assets.json5`. What it does not set stays as earlier rules have it. */
export interface AssetRule {
  readonly pattern: string;
  readonly glob: Glob;
  readonly cache?: { readonly maxAge: number | undefined };
  /** `null` takes the headers of earlier rules away. */
  readonly headers?: ReadonlyMap<string, string> | null;
  readonly ignore?: boolean;
  readonly enableAliasing?: boolean;
  readonly allowRawAccess?: boolean;
  readonly encodings?: readonly Encoder[];
  readonly securityPolicy?: SecurityPolicy;
  readonly disableSecurityPolicyWarning?: boolean;
}

/** Most rules of one file; the longest seen in public repositories has 60. */
const MOST_RULES = 1_000;
/** A name of a header (RFC 9110, 5.6.2), and a value without the characters that would end it. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
// oxlint-disable-next-line no-control-regex -- control characters are what must not be in a value
const NOT_IN_HEADER = /[\x00-\x08\x0a-\x1f\x7f]/;

/** Whether a header may have this name and value. */
export function isHeader(name: string, value: string): boolean {
  return HEADER_NAME.test(name) && !NOT_IN_HEADER.test(value);
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Files of rules that cannot be used; the message is for the one who wrote them. */
export class SiteRulesError extends Error {
  override readonly name = 'SiteRulesError';
}

/** A field that is not what the rules of this file allow. */
class RuleProblem extends Error {
  override readonly name = 'RuleProblem';
}

function optional<T>(value: unknown, read: (present: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

function flag(name: string): (value: unknown) => boolean {
  return (value) => {
    if (typeof value !== 'boolean') throw new RuleProblem(`'${name}' is neither true nor false`);
    return value;
  };
}

function cacheOf(value: unknown): { maxAge: number | undefined } {
  if (!isFields(value)) throw new RuleProblem("'cache' is not an object such as { max_age: 3600 }");
  const maxAge = optional(value['max_age'], (age) => {
    if (typeof age !== 'number' || !Number.isSafeInteger(age) || age < 0)
      throw new RuleProblem("'max_age' is not a whole number of seconds");
    return age;
  });
  return { maxAge };
}

function headersOf(value: unknown): ReadonlyMap<string, string> {
  if (!isFields(value)) throw new RuleProblem("'headers' is neither an object of names and values nor null");
  return new Map(
    Object.entries(value).map(([name, text]) => {
      if (typeof text === 'object' && text !== null)
        throw new RuleProblem(`the header '${name}' is not a text, number, true or false`);
      const shown = text === null ? '' : String(text);
      if (!isHeader(name, shown))
        throw new RuleProblem(`the header '${name}' has characters that no header may have`);
      return [name, shown];
    }),
  );
}

function encodingsOf(value: unknown): readonly Encoder[] {
  if (!Array.isArray(value)) throw new RuleProblem("'encodings' is not a list");
  return value.map((name: unknown) => {
    const encoder = ENCODERS.find((known) => known === (name === 'brotli' ? 'br' : name));
    if (encoder === undefined)
      throw new RuleProblem(`'encodings' has '${String(name)}', which is not one of ${ENCODERS.join(', ')}`);
    return encoder;
  });
}

function policyOf(value: unknown): SecurityPolicy {
  const policy = SECURITY_POLICIES.find((known) => known === value);
  if (policy === undefined)
    throw new RuleProblem(`'security_policy' is not one of ${SECURITY_POLICIES.join(', ')}`);
  return policy;
}

const FIELDS = new Set([
  'match',
  'cache',
  'headers',
  'ignore',
  'enable_aliasing',
  'allow_raw_access',
  'encodings',
  'security_policy',
  'disable_security_policy_warning',
]);

function ruleOf(value: unknown): AssetRule {
  if (!isFields(value)) throw new RuleProblem('a rule is not an object');
  const unknown = Object.keys(value).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) throw new RuleProblem(`'${unknown}' is not a field of a rule`);
  const pattern = value['match'];
  if (typeof pattern !== 'string') throw new RuleProblem("a rule has no 'match' with a pattern");
  const rule = {
    cache: optional(value['cache'], cacheOf),
    headers: value['headers'] === null ? null : optional(value['headers'], headersOf),
    ignore: optional(value['ignore'], flag('ignore')),
    enableAliasing: optional(value['enable_aliasing'], flag('enable_aliasing')),
    allowRawAccess: optional(value['allow_raw_access'], flag('allow_raw_access')),
    encodings: optional(value['encodings'], encodingsOf),
    securityPolicy: optional(value['security_policy'], policyOf),
    disableSecurityPolicyWarning: optional(
      value['disable_security_policy_warning'],
      flag('disable_security_policy_warning'),
    ),
  };
  const set = Object.fromEntries(Object.entries(rule).filter(([, field]) => field !== undefined));
  return { pattern, glob: new Glob(pattern, { acrossFolders: true }), ...set };
}

/**
 * Reads a file of rules (JSON5, a list). `name` is for messages. Only for a thread: see docs/decisions/0023.
 * @throws SiteRulesError when the file cannot be used
 */
export function parseAssetRules(text: string, name: string): readonly AssetRule[] {
  try {
    const rules: unknown = JSON5.parse(text);
    if (!Array.isArray(rules)) throw new RuleProblem('it is not a list of rules');
    if (rules.length > MOST_RULES) throw new RuleProblem(`it has more than ${MOST_RULES} rules`);
    return rules.map(ruleOf);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new SiteRulesError(`${name} cannot be used: ${problem}.`);
  }
}
