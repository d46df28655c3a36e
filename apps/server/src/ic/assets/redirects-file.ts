import type { Header } from '../replies/listed-asset.ts';
import { AddressPattern, PatternProblem } from './address-pattern.ts';
import { SiteRulesError } from './asset-rules.ts';
import { pathOf, type RedirectRule, type RulePattern } from './redirect-rules.ts';
import type { SiteAddresses } from './site-addresses.ts';

export const REDIRECTS_FILE = '_redirects';
/** Most lines with a rule; the same as Cloudflare Pages allows without placeholders. */
const MOST_LINES = 2_000;
/** Most rules that the lines become; the canister takes twice as many. */
const MOST_RULES = 10_000;
/** Most rules for several paths, which the canister tries one after the other. */
const MOST_PATTERNS = 1_000;
/** Characters of all rules: they are set in one message, of which they may take half. */
const MOST_CHARACTERS = 1_000_000;
const REDIRECTS = new Set([301, 302, 307, 308]);
/** With a file: a rewrite, and pages of errors. */
const PAGES = new Set([200, 404, 410]);
/** What a redirect has where its line does not say (docs.netlify.com/routing/redirects/redirect-options). */
const USUAL_STATUS = 301;
/** No host has this name: a path of the site stays one. */
const SITE = 'http://site.invalid';

/** Something of a file that has no effect, or not the one that was meant. */
export interface LineProblem {
  readonly line: number;
  readonly text: string;
}

/** What the lines of a file `_redirects` come to. */
export interface Redirects {
  readonly rules: readonly RedirectRule[];
  readonly problems: readonly LineProblem[];
  /** Lines that lead to addresses of the site where it has nothing. */
  readonly missing: readonly LineProblem[];
  /** Patterns of the paths that lines lead on from, as they are written. */
  readonly from: readonly string[];
}

interface Line {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

/** A line that is left out, for this reason. */
class LineError extends Error {
  override readonly name = 'LineError';
}

/** The words of a line; undefined for one without a rule. @throws LineError for a rule that cannot be followed */
function readLine(text: string): Line | undefined {
  const words = text.trim().split(/\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  const [from = '', ...rest] = comment < 0 ? words : words.slice(0, comment);
  if (from === '') return undefined;
  if (!from.startsWith('/')) throw new LineError('it begins with no path of this site');
  const to = rest.findIndex((word) => word.startsWith('/') || /^https?:\/\//i.test(word));
  const target = rest[to];
  if (target === undefined) throw new LineError('it says neither a path nor an address to lead to');
  if (to > 0 || from.includes('?')) throw new LineError('queries are not looked at');
  const [status = String(USUAL_STATUS), ...conditions] = rest.slice(to + 1);
  if (conditions.length > 0 || status.includes('='))
    throw new LineError('conditions such as countries and languages are not looked at');
  const number = /^(\d{3})!?$/.exec(status)?.[1];
  if (number === undefined || !(REDIRECTS.has(Number(number)) || PAGES.has(Number(number))))
    throw new LineError(
      `${status.slice(0, 20)} is not one of ${[...PAGES, ...REDIRECTS].toSorted().join(', ')}`,
    );
  return { from, to: target, status: Number(number) };
}

/** A path as the canister compares it. @throws LineError when it is none */
function plainPath(text: string): string {
  try {
    const path = decodeURIComponent(text).replaceAll(/\/{2,}/g, '/');
    if (/\/<[$*]>(?:\/|$)/.test(path)) throw new LineError('no site can have this path');
    return path;
  } catch (error) {
    if (error instanceof URIError) throw new LineError('its path is not UTF-8', { cause: error });
    throw error;
  }
}

/** Where a line leads, as a browser is told it, and the path of the site, if it is one. @throws LineError */
function targetOf(to: string, status: number): { location: string; path: string | undefined } {
  const url = to.startsWith('//') ? null : URL.parse(to, SITE);
  if (url === null) throw new LineError('it leads to no address');
  if (url.origin !== SITE) {
    if (PAGES.has(status)) throw new LineError('only a redirect can lead to another site');
    return { location: url.href, path: undefined };
  }
  // The addresses of placeholders are compared as they are written.
  return { location: url.href.slice(SITE.length), path: plainPath(url.pathname) };
}

/** Reads the file of a site. Its work grows with its lines times the files of the site: only for a thread. */
export class RedirectsReader {
  readonly #site: SiteAddresses;
  readonly #headersOf: (path: string) => readonly Header[];
  readonly #rules: RedirectRule[] = [];
  readonly #problems: LineProblem[] = [];
  readonly #missing: LineProblem[] = [];
  readonly #from: string[] = [];
  #patterns = 0;
  #characters = 0;

  /** @param headersOf the headers of a redirect from a path, or from all in it when it ends with `*` */
  constructor(site: SiteAddresses, headersOf: (path: string) => readonly Header[]) {
    this.#site = site;
    this.#headersOf = headersOf;
  }

  /** @throws SiteRulesError when it has too many rules */
  read(text: string): Redirects {
    let lines = 0;
    for (const [index, written] of text.split('\n').entries()) {
      const line = index + 1;
      try {
        const rule = readLine(written);
        if (rule === undefined) continue;
        lines += 1;
        if (lines > MOST_LINES)
          throw new SiteRulesError(`${REDIRECTS_FILE} has more than ${MOST_LINES} rules.`);
        this.#add(rule, line);
      } catch (error) {
        if (!(error instanceof LineError || error instanceof PatternProblem)) throw error;
        this.#problems.push({ line, text: error.message });
      }
    }
    this.#endWith404();
    return { rules: this.#rules, problems: this.#problems, missing: this.#missing, from: this.#from };
  }

  /** Where the site says itself what its paths are, others are not found: the start page answers by a line only. */
  #endWith404(): void {
    const covered = this.#rules.some(({ from }) => 'Subtree' in from && from.Subtree === '/');
    if (covered || this.#site.has('/404.html') || this.#from.length === 0) return;
    this.#push({ Subtree: '/' }, '', 404);
  }

  #add({ from, to, status }: Line, line: number): void {
    const path = plainPath(from);
    const pattern = new AddressPattern(path);
    const star = path.indexOf('*');
    if (star >= 0 && (star < path.length - 1 || !path.endsWith('/*')))
      throw new LineError('* stands elsewhere than at the end, behind a slash');
    const target = new AddressPattern(to);
    const taken = target.names.filter((name) => pattern.names.includes(name));
    if (taken.length > 0) this.#addEach(pattern, to, { status, line });
    else this.#addOne(path, pattern, { ...targetOf(to, status), status, line });
    this.#from.push(path);
  }

  /** A rule whose target is fixed. */
  #addOne(
    path: string,
    pattern: AddressPattern,
    {
      location,
      path: target,
      status,
      line,
    }: { location: string; path: string | undefined; status: number; line: number },
  ): void {
    if (target !== undefined && this.#site.keyOf(target) === undefined) {
      this.#missing.push({ line, text: location });
      if (PAGES.has(status)) return;
    }
    const to = PAGES.has(status) && target !== undefined ? target : location;
    const bare = path.endsWith('/*') ? path.slice(0, -2) : path.endsWith('/') ? path.slice(0, -1) : path;
    const names = pattern.names.filter((name) => name !== 'splat');
    if (names.length > 0) {
      for (const part of path.split('/'))
        if (part.includes(':') && !/^:\w+$/.test(part))
          throw new LineError('a placeholder that leads nowhere stands for a whole part of the path only');
      this.#push({ Pattern: path.endsWith('/') ? bare : path }, to, status);
    } else if (path.endsWith('/*')) {
      // As on other hosts, the folder itself is meant, too.
      if (bare !== '') this.#push({ Exact: bare }, to, status);
      this.#push({ Subtree: `${bare}/` }, to, status);
    } else {
      for (const form of bare === '' ? ['/'] : [bare, `${bare}/`]) this.#push({ Exact: form }, to, status);
    }
  }

  /**
   * A rule whose target depends on the path. What a canister answers is certified beforehand, so that each address of the
   * site that it can lead to becomes a rule.
   */
  #addEach(pattern: AddressPattern, to: string, { status, line }: { status: number; line: number }): void {
    if (!to.startsWith('/') || to.startsWith('//'))
      throw new LineError('what * or a placeholder stands for can be taken over to paths of this site only');
    const end = to.search(/[?#]/);
    const [address, rest] = end < 0 ? [to, ''] : [to.slice(0, end), to.slice(end)];
    const target = new AddressPattern(plainPath(address));
    if (new AddressPattern(rest).names.some((name) => pattern.names.includes(name)))
      throw new LineError('placeholders cannot be taken over to a query');
    let found = 0;
    for (const each of this.#site.all()) {
      const values = target.match(each);
      if (values === null) continue;
      const from = pattern.fill(values);
      // A path that leads to itself would lead on for ever.
      if (from === each) continue;
      found += 1;
      const isOpen = pattern.names.some((name) => !values.has(name));
      if (isOpen && [...values.values()].some((value) => /(?:^|\/)[:*]/.test(value))) continue;
      const location = PAGES.has(status) ? each : encodePath(each) + rest;
      if (isOpen) this.#push({ Pattern: from }, location, status);
      else this.#push({ Exact: from }, location, status);
      // The folder itself is meant, too.
      if (!isOpen && from.endsWith('/') && from !== '/')
        this.#push({ Exact: from.slice(0, -1) }, location, status);
    }
    if (found === 0) this.#missing.push({ line, text: to });
  }

  #push(from: RulePattern, to: string, status: number): void {
    const path = pathOf(from);
    this.#patterns += Number(!('Exact' in from));
    this.#characters += path.length + to.length;
    if (this.#rules.length >= MOST_RULES) tooMany(`${MOST_RULES} addresses`);
    if (this.#patterns > MOST_PATTERNS) tooMany(`${MOST_PATTERNS} rules with * or placeholders`);
    // The answers with a file have the headers of that file.
    const headers =
      REDIRECTS.has(status) || to === '' ? this.#headersOf('Subtree' in from ? `${path}*` : path) : [];
    for (const [name, value] of headers) this.#characters += name.length + value.length;
    if (this.#characters > MOST_CHARACTERS) tooMany(`${MOST_CHARACTERS} characters`);
    this.#rules.push({ from, to, status, headers });
  }
}

function tooMany(bound: string): never {
  throw new SiteRulesError(
    `${REDIRECTS_FILE} comes to more than ${bound}. Write fewer lines, or lines that lead to fewer pages.`,
  );
}

/** A path as it is written in an address. */
function encodePath(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
}
