import { z } from 'zod';

/** What an address may have behind its host and port. */
interface Parts {
  readonly path?: boolean;
  readonly query?: boolean;
  readonly fragment?: boolean;
  /** Only https. */
  readonly secure?: boolean;
}

/** Most addresses in one setting: each that does not answer may be waited for. */
const MOST_ORIGINS = 8;

const EXAMPLE = 'such as https://example.org:8443';

/** What is wrong with an address, as the end of a sentence that begins with the setting's name; undefined when nothing is. */
function problemOf(text: string, { path, query, fragment, secure }: Parts): string | undefined {
  // The parser of addresses takes spaces, tabs and backslashes for other things.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    return secure ? 'must be an https address' : 'must be an http or https address';
  }
  const url = new URL(text);
  if (secure && url.protocol !== 'https:') return 'must be an https address';
  if (url.username !== '' || url.password !== '')
    return 'must have no user name and password before the host';
  if (url.port === '0') return 'must not have port 0, which nothing answers at';
  if (/[{}]/.test(text)) {
    return 'has { or } around something that it does not stand for';
  }
  if (!fragment && text.includes('#'))
    return query ? 'must be an address without #' : 'must be an address without ? and #';
  if (!query && text.includes('?')) return 'must be an address without ? and #';
  if (!path && !/^\/*$/.test(url.pathname)) {
    return `must be an address without a path, ${EXAMPLE}: give it a host name or a port instead of ${url.pathname}`;
  }
  return undefined;
}

function checked(parts: Parts) {
  return z.string().superRefine((text, problems) => {
    const problem = problemOf(text, parts);
    if (problem !== undefined) problems.addIssue(problem);
  });
}

/** A scheme, a host and maybe a port; what is served there is at its root. As browsers write it, without slash at its end. */
const originSetting = checked({}).transform((text) => new URL(text).origin);

/** Several of them, by commas. */
const originsSetting = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(originSetting).max(MOST_ORIGINS, `must be ${MOST_ORIGINS} addresses at most`));

/** The same with https alone. */
const secureOriginSetting = checked({ secure: true }).transform((text) => new URL(text).origin);

/** An address below which calls are made. Without slash at its end. */
const baseSetting = checked({ path: true }).transform(withoutSlash);

const secureBaseSetting = checked({ path: true, secure: true }).transform(withoutSlash);

/** The name of an issuer, which is compared letter by letter with what that issuer says of itself. */
const issuerSetting = checked({ path: true });

/** A page that people open. */
const pageSetting = checked({ path: true, query: true, fragment: true });

/** A page for each of something. @param names what is in braces, and must be there */
function patternSetting(...names: readonly string[]) {
  return z
    .string()
    .superRefine((text, problems) => {
      const missing = names.filter((name) => !text.includes(`{${name}}`)).map((name) => `{${name}}`);
      const filled = names.reduce((address, name) => address.replaceAll(`{${name}}`, 'aaaaa-aa'), text);
      const problem =
        missing.length > 0
          ? `must contain ${missing.join(' and ')}`
          : problemOf(filled, { path: true, query: true, fragment: true });
      if (problem !== undefined) problems.addIssue(problem);
    })
    .transform(withSmallHost);
}

/** The sites of canisters. Those on hosts of their own are served at the root. */
const sitePatternSetting = patternSetting('canisterId').refine(
  (text) => !/^https?:\/\/\{canisterId\}/.test(text) || /^https?:\/\/\{canisterId\}\.[^/?#]+\/?$/.test(text),
  { error: 'must have the form https://{canisterId}.sites.example.org/, without a path behind it' },
);

/** Browsers write scheme and host in small letters; names in braces stay. */
function withSmallHost(text: string): string {
  const host = /^[^/]*\/\/[^/?#]*/.exec(text)?.[0] ?? '';
  const small = host.replaceAll(/\{[^}]*\}|[A-Z]+/g, (part) =>
    part.startsWith('{') ? part : part.toLowerCase(),
  );
  return small + text.slice(host.length);
}

function withoutSlash(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** The schemas of settings that are addresses: what cannot be served as it is given is refused with what to do. */
export const addresses = {
  origin: originSetting,
  origins: originsSetting,
  secureOrigin: secureOriginSetting,
  base: baseSetting,
  secureBase: secureBaseSetting,
  issuer: issuerSetting,
  page: pageSetting,
  sitePattern: sitePatternSetting,
  pattern: patternSetting,
};
