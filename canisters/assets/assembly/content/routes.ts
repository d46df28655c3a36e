import { addressOf, aliasesOf } from '../base/aliases';
import { escapedPath } from '../base/url';
import { Asset, Header } from './asset';
import * as assets from './assets';
import {
  certifyFolder, certifyPath, NOT_FOUND, OK, plainNotFound, redirectResponses, responsesOf, TEMPORARY_REDIRECT,
} from './certification';
import { Responses } from './hash-tree';
import { allRules, EXACT, Rule, takeRuleChange } from './rules';

const START_PAGE = '/index.html';
const NOT_FOUND_PAGE = '/404.html';
const NO_HEADERS: Array<Header> = [];

/** How a path is answered. */
export class Route {
  constructor(
    readonly status: u16,
    /** Whose body is sent; `null` for a redirect, and for the plain text of a path that is not found. */
    readonly asset: Asset | null,
    /** Where a redirect leads; empty without one. */
    readonly location: string,
    /** Those of an answer without a file beside its own. */
    readonly headers: Array<Header>,
    /** The folder whose certificate it has; `null` where the path has one. */
    readonly folder: string | null,
  ) {}
}

/** Rules for one path each that are in effect: no file, and no rule before them, answers there. */
let exact: Map<string, Rule> = new Map();
/** The other rules in effect, in their order. */
let patterns: Array<Rule> = [];
/** Folders that certify what is answered for paths in them; the site itself is the empty text. */
let folders: Set<string> = new Set();

/**
 * Finds out how a path is answered: by its own file, by a page whose alias it is, by the first rule that matches, by
 * the 404 page of the nearest folder that has one, by the start page (single-page applications). A request with a
 * query gets the page where others get a redirect to it, since a redirect would lose the query: what a redirect leads
 * to is certified before anybody asks.
 */
export function routeOf(path: string, hasQuery: bool): Route {
  const own = assets.resolve(path);
  if (own !== null) {
    if (!isRedirected(own, path) || hasQuery) return new Route(OK, own, '', NO_HEADERS, null);
    return new Route(TEMPORARY_REDIRECT, null, locationOf(own), ownHeaders(own), null);
  }
  if (exact.has(path)) return routeBy(exact.get(path), null);
  const folder = folderOf(path);
  for (let i = 0; i < patterns.length; i++) {
    if (patterns[i].matches(path)) return routeBy(patterns[i], folder);
  }
  const page = fallbackIn(folder);
  return new Route(page === null ? NOT_FOUND : statusOf(page), page, '', NO_HEADERS, folder);
}

function routeBy(rule: Rule, folder: string | null): Route {
  if (rule.isRedirect) return new Route(rule.status, null, rule.to, rule.headers, folder);
  return new Route(rule.status, rule.isPlain ? null : assets.resolve(rule.to), '', rule.headers, folder);
}

/** Whether a path is another address of a page than the one it has. */
function isRedirected(asset: Asset, path: string): bool {
  return path != asset.key && path != addressOf(asset.key);
}

function locationOf(page: Asset): string {
  return escapedPath(addressOf(page.key));
}

function ownHeaders(asset: Asset): Array<Header> {
  const headers = asset.properties.headers;
  return headers === null ? NO_HEADERS : headers;
}

/** The nearest folder at or above a path that has a certificate. */
function folderOf(path: string): string {
  let folder = path.endsWith('/') ? path.slice(0, path.length - 1) : path;
  while (folder.length > 0 && !folders.has(folder)) folder = folder.slice(0, folder.lastIndexOf('/'));
  return folder;
}

/** The page for what is not found in a folder; `null` for the plain text. */
function fallbackIn(folder: string): Asset | null {
  let at = folder;
  let page = withContent(at + NOT_FOUND_PAGE);
  while (page === null && at.length > 0) {
    at = at.slice(0, at.lastIndexOf('/'));
    page = withContent(at + NOT_FOUND_PAGE);
  }
  return page === null ? withContent(START_PAGE) : page;
}

/** The same as version 1 of response verification can tell it: one page for the whole site. */
export function siteFallback(): Asset | null {
  return fallbackIn('');
}

function withContent(key: string): Asset | null {
  const asset = assets.find(key);
  return asset !== null && asset.encodings.length > 0 ? asset : null;
}

/** The status of a page that answers for a path that is not found. */
export function statusOf(page: Asset): u16 {
  return page.key.endsWith(NOT_FOUND_PAGE) ? NOT_FOUND : OK;
}

/** Certifies again every path that a changed asset answers for, or answered for, and what rules make of the others. */
export function certifyChanges(): void {
  if (certifyKeys()) certifyRules();
}

/** Certifies everything, from nothing: after installation and upgrade. */
export function certifyAll(): void {
  assets.changeAll();
  certifyKeys();
  certifyRules();
}

/** Certifies the paths of changed assets; whether rules, or pages for what is not found, may have changed, too. */
function certifyKeys(): bool {
  const changed = assets.takeChanges();
  let hasRules = takeRuleChange() || allRules().length > 0;
  for (let i = 0; i < changed.length; i++) {
    const key = changed[i];
    certifyOwn(key);
    const aliases = aliasesOf(key);
    for (let j = 0; j < aliases.length; j++) certifyOwn(aliases[j]);
    hasRules = hasRules || key == START_PAGE || key.endsWith(NOT_FOUND_PAGE);
  }
  return hasRules;
}

function certifyOwn(path: string): void {
  const asset = assets.resolve(path);
  if (asset === null) {
    certifyPath(path, null, null);
    return;
  }
  let responses = asset.responses;
  if (responses === null) {
    responses = responsesOf(asset, OK);
    asset.responses = responses;
  }
  if (!isRedirected(asset, path)) {
    certifyPath(path, responses, asset);
    return;
  }
  let redirected = asset.redirected;
  if (redirected === null) {
    redirected = redirectResponses(TEMPORARY_REDIRECT, locationOf(asset), ownHeaders(asset));
    redirected.addAll(responses);
    asset.redirected = redirected;
  }
  certifyPath(path, redirected, asset);
}

/** Finds the rules in effect and certifies what they, and the pages for what is not found, answer. */
function certifyRules(): void {
  const before = exact;
  findRules();
  const gone = before.keys();
  for (let i = 0; i < gone.length; i++) {
    if (!exact.has(gone[i]) && assets.resolve(gone[i]) === null) certifyPath(gone[i], null, null);
  }
  const paths = exact.keys();
  for (let i = 0; i < paths.length; i++) certifyPath(paths[i], responsesBy(exact.get(paths[i])), null);
  const old = folders.values();
  folders = foldersWithAnswers();
  for (let i = 0; i < old.length; i++) {
    if (!folders.has(old[i])) certifyFolder(old[i], null);
  }
  const all = folders.values();
  for (let i = 0; i < all.length; i++) certifyFolder(all[i], responsesIn(all[i]));
}

function findRules(): void {
  exact = new Map();
  patterns = [];
  const rules = allRules();
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    // A rule whose file does not exist waits for it.
    if (!rule.isRedirect && !rule.isPlain && assets.resolve(rule.to) === null) continue;
    if (rule.kind !== EXACT) patterns.push(rule);
    else if (assets.resolve(rule.from) === null && !exact.has(rule.from) && !isMatched(rule.from)) exact.set(rule.from, rule);
  }
}

/** Whether a pattern found so far matches. */
function isMatched(path: string): bool {
  for (let i = 0; i < patterns.length; i++) {
    if (patterns[i].matches(path)) return true;
  }
  return false;
}

function foldersWithAnswers(): Set<string> {
  const found: Set<string> = new Set();
  found.add('');
  for (let i = 0; i < patterns.length; i++) found.add(patterns[i].folder);
  const keys = assets.sortedKeys();
  for (let i = 0; i < keys.length; i++) {
    if (keys[i].endsWith(NOT_FOUND_PAGE)) found.add(keys[i].slice(0, keys[i].length - NOT_FOUND_PAGE.length));
  }
  return found;
}

/**
 * All that paths may be answered with whose nearest folder this is. A client accepts any of them for such a path;
 * which one it is the canister decides.
 */
function responsesIn(folder: string): Responses {
  const responses = new Responses();
  for (let i = 0; i < patterns.length; i++) {
    if (!patterns[i].reaches(folder)) continue;
    responses.addAll(responsesBy(patterns[i]));
    if (patterns[i].covers(folder)) return responses;
  }
  const page = fallbackIn(folder);
  responses.addAll(page === null ? plainNotFound(NO_HEADERS) : responsesOf(page, statusOf(page)));
  return responses;
}

function responsesBy(rule: Rule): Responses {
  if (rule.isRedirect) return redirectResponses(rule.status, rule.to, rule.headers);
  return rule.isPlain ? plainNotFound(rule.headers) : responsesOf(assets.resolve(rule.to)!, rule.status);
}
