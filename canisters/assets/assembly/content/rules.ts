import { Header, saveText } from './asset';
import { record, RULES } from '../base/journal';
import { ByteReader } from '../base/byte-reader';
import { ByteWriter } from '../base/byte-writer';
import { contentChanged } from './settings';
import { trap } from '../base/system';

/** How a rule tells the paths that it is for. */
export const EXACT: u8 = 0;
export const SUBTREE: u8 = 1;
export const PATTERN: u8 = 2;

/** Most rules of a site. The server that publishes sends fewer; each takes some hundred bytes. */
const MOST_RULES: i32 = 20_000;
/** Most rules that are looked through for a request, beside those for one path each. */
const MOST_PATTERNS: i32 = 2_000;

/**
 * What paths without a file are answered with, as a line of `_redirects` says it: a redirect (3xx), the file at `to`
 * (200), or that file as the page of an error (404, 410). A 404 without a file is plain text.
 */
export class Rule {
  /** The parts of a pattern. */
  private parts: Array<string>;
  /** The folder below which all paths are that it can match; the site itself is the empty text. */
  readonly folder: string;

  constructor(
    readonly kind: u8,
    readonly from: string,
    readonly to: string,
    readonly status: u16,
    readonly headers: Array<Header>,
  ) {
    const parts: Array<string> = kind === PATTERN ? from.split('/') : [];
    this.parts = parts;
    this.folder = kind === SUBTREE ? from.slice(0, from.length - 1) : fixedPart(parts);
  }

  /** Whether it answers with the plain text for what is not found. */
  get isPlain(): bool {
    return this.status === 404 && this.to.length === 0;
  }

  get isRedirect(): bool {
    return this.status >= 300 && this.status < 400;
  }

  matches(path: string): bool {
    if (this.kind === EXACT) return path == this.from;
    return this.kind === SUBTREE ? path.startsWith(this.from) : this.matchesParts(path);
  }

  /** A part `:name` is one part of the path, a last part `*` all the rest. A slash at the end of a path says nothing. */
  private matchesParts(path: string): bool {
    const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
    const found = path.slice(0, end).split('/');
    for (let i = 0; i < this.parts.length; i++) {
      const part = this.parts[i];
      if (part == '*') return true;
      if (i >= found.length || (part.startsWith(':') ? found[i].length === 0 : part != found[i])) return false;
    }
    return found.length === this.parts.length;
  }

  /** Whether it may match a path in this folder, or the folder. */
  reaches(folder: string): bool {
    return this.folder.length === 0 || folder == this.folder || folder.startsWith(this.folder + '/');
  }

  /** Whether it matches the folder and every path in it. */
  covers(folder: string): bool {
    return this.kind === SUBTREE && (folder + (folder.length === 0 ? '/' : '')).startsWith(this.from);
  }

  save(writer: ByteWriter): void {
    writer.u8(this.kind);
    saveText(writer, this.from);
    saveText(writer, this.to);
    writer.u32(this.status);
    writer.u32(this.headers.length);
    for (let i = 0; i < this.headers.length; i++) {
      saveText(writer, this.headers[i].name);
      saveText(writer, this.headers[i].value);
    }
  }

  static load(reader: ByteReader): Rule {
    const kind = reader.u8();
    const from = reader.text();
    const to = reader.text();
    const status = <u16>reader.u32();
    const headers = new Array<Header>(reader.u32());
    for (let i = 0; i < headers.length; i++) {
      const name = reader.text();
      headers[i] = new Header(name, reader.text());
    }
    return new Rule(kind, from, to, status, headers);
  }
}

/** The parts before the first that stands for others. */
function fixedPart(parts: Array<string>): string {
  let fixed = 0;
  while (fixed < parts.length && !parts[fixed].startsWith(':') && parts[fixed] != '*') fixed++;
  return parts.slice(0, fixed).join('/');
}

/** In the order in which they are tried. */
let rules: Array<Rule> = [];
/** Whether this message changed them. */
let isChanged: bool = false;

export function allRules(): Array<Rule> {
  return rules;
}

/** Puts rules instead of all that there are. */
export function setRules(all: Array<Rule>): void {
  if (all.length > MOST_RULES) trap('more than ' + MOST_RULES.toString() + ' redirect rules');
  let patterns = 0;
  for (let i = 0; i < all.length; i++) {
    check(all[i]);
    if (all[i].kind !== EXACT) patterns++;
  }
  if (patterns > MOST_PATTERNS) trap('more than ' + MOST_PATTERNS.toString() + ' redirect rules for several paths');
  if (rules.length === 0 && all.length === 0) return;
  rules = all;
  isChanged = true;
}

function check(rule: Rule): void {
  const from = rule.from;
  if (!from.startsWith('/') || from.includes('//') || (from + '/').includes('/<$>/') || (from + '/').includes('/<*>/')) {
    trap('invalid redirect rule: ' + from + ' is not a path that a site can have');
  }
  if (rule.kind === SUBTREE && !from.endsWith('/')) trap('invalid redirect rule: the folder ' + from + ' ends without /');
  const star = from.indexOf('*');
  if (rule.kind === PATTERN && star >= 0 && (star < from.length - 1 || !from.endsWith('/*'))) {
    trap('invalid redirect rule: * stands elsewhere than at the end of ' + from);
  }
  const isPath = rule.to.startsWith('/') && !rule.to.startsWith('//');
  switch (rule.status) {
    case 200: case 404: case 410:
      if (!isPath && !rule.isPlain) trap('invalid redirect rule: ' + rule.to + ' is not the path of a file');
      break;
    case 301: case 302: case 307: case 308:
      if (!isPath && !rule.to.startsWith('https://') && !rule.to.startsWith('http://')) {
        trap('invalid redirect rule: ' + rule.to + ' is neither a path nor an address');
      }
      break;
    default: trap('invalid redirect rule: the status ' + rule.status.toString() + ' is not one of 200, 301, 302, 307, 308, 404 and 410');
  }
}

/** Whether rules were changed since it was asked last; they are then certified and recorded. */
export function takeRuleChange(): bool {
  const was = isChanged;
  isChanged = false;
  if (was) {
    contentChanged();
    recordRules();
  }
  return was;
}

export function recordRules(): void {
  const writer = record(RULES);
  writer.u32(rules.length);
  for (let i = 0; i < rules.length; i++) rules[i].save(writer);
}

export function restoreRules(reader: ByteReader): void {
  const all = new Array<Rule>(reader.u32());
  for (let i = 0; i < all.length; i++) all[i] = Rule.load(reader);
  rules = all;
}
