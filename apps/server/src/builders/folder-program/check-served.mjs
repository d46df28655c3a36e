// What a site serves at which address, as its canister does (canisters/assets/assembly/base/aliases.ts, content/assets.ts).

/** Endings of files that pages load or offer. What follows a dot in an address of a page, such as a version, is none of them. */
const FILES = new Set(
  (
    'html htm css js mjs cjs json map xml txt md pdf csv png jpg jpeg gif svg webp avif ico bmp woff woff2 ttf otf eot ' +
    'mp3 mp4 m4a m4v webm ogg ogv wav mov wasm zip gz tgz webmanifest rss atom ics vtt glb gltf doc docx xls xlsx'
  ).split(' '),
);
/** Longer links are no addresses that somebody has written. */
const LONGEST = 2_048;
/** What template languages leave for later; none of it stands in an address as it is. */
const PLACEHOLDER = /[{}<>`$\ufffd]|%[A-Z_]+%|\[\[/;
/** A character reference that is not known. */
const REFERENCE = /&#?\w+;/;
/** Addresses of the network's gateway, which are of no site (ic.org, HTTP gateway protocol). */
const GATEWAY = /^\/(?:_\/|api\/v\d+\/)/;
/** No host has this name: what leads to another one leads out of the site. */
const ORIGIN = 'http://site.invalid';
const INDEX = '/index.html';
/** Folders of a path above which lines of `_redirects` are looked for. */
const DEEPEST = 30;

/** The ending of a name in small letters, without its dot. @param {string} path */
export function endingOf(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** The address of a file of the site. @param {string} path */
export function addressOf(path) {
  return `${ORIGIN}/${path.toWellFormed().split('/').map(encodeURIComponent).join('/')}`;
}

/** @param {string} value @param {string} base */
function parsed(value, base) {
  return value.length > LONGEST || PLACEHOLDER.test(value) || REFERENCE.test(value)
    ? null
    : URL.parse(value, base);
}

/** The address from which links of a page begin that says `value`; null when that is not known. @param {string} value @param {string} page */
export function baseOf(value, page) {
  return parsed(value, page)?.href ?? null;
}

/**
 * The path of this site that a link leads to; null when it leads elsewhere, into its own page, or nobody can tell.
 * @param {string} value as it is written
 * @param {string} base
 */
export function pathOf(value, base) {
  const link = value.trim();
  if (link === '' || link.startsWith('#')) return null;
  const url = parsed(link, base);
  if (url === null || url.origin !== ORIGIN || GATEWAY.test(url.pathname)) return null;
  try {
    // What is no escape stays as it is.
    return decodeURIComponent(url.pathname.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return null;
  }
}

/** The keys that may answer for a path. @param {string} path */
function candidatesOf(path) {
  if (path.endsWith('/')) return path === '/' ? [INDEX] : [`${path}index.html`, `${path.slice(0, -1)}.html`];
  if (path.endsWith('.html')) return [];
  const page = path.endsWith('/index') ? [`${path.slice(0, -'/index'.length)}.html`] : [];
  return [`${path}.html`, ...page, path + INDEX];
}

/** What a site serves. */
export class Served {
  /** Whether a file answers for other addresses too, by its address. @type {Map<string, boolean>} */
  #files = new Map();
  /** @type {Map<string, string> | null} */
  #byLetters = null;
  /** Where lines of `_redirects` lead from: addresses, and those above others. */
  #from = new Set();
  #above = new Set();
  /** Whether pages that are not there are answered with the start page. */
  isApplication = false;

  /**
   * @param {readonly [path: string, place: string, hasAliases: boolean][]} files
   * @param {readonly string[]} redirected patterns of paths from which visitors are led on
   */
  constructor(files, redirected) {
    for (const [path, , hasAliases] of files) this.#files.set(`/${path}`, hasAliases);
    for (const from of redirected) this.#redirect(from);
    this.isApplication = this.#files.has(INDEX) && !this.#files.has('/404.html') && redirected.length === 0;
  }

  /** @param {string} path */
  #answers(path) {
    return this.#files.has(path) || candidatesOf(path).some((key) => this.#files.get(key) === true);
  }

  /** Whether a link to this path leads to something. @param {string} path */
  has(path) {
    if (this.#answers(path) || this.#from.has(path) || this.#isRedirected(path)) return true;
    return this.isApplication && !FILES.has(endingOf(path));
  }

  /** Whether it has the file itself. @param {string} path without a slash at its beginning */
  hasFile(path) {
    return this.#files.has(`/${path}`);
  }

  /** The file that a path names in other letters, large for small; null without one. @param {string} path */
  inOtherLetters(path) {
    this.#byLetters ??= new Map([...this.#files.keys()].map((key) => [key.toLowerCase(), key]));
    for (const key of [path, ...candidatesOf(path)]) {
      const found = this.#byLetters.get(key.toLowerCase());
      if (found !== undefined) return found;
    }
    return null;
  }

  /** @param {string} from */
  #redirect(from) {
    const pattern = from.search(/[*:]/);
    if (pattern < 0) this.#from.add(from);
    else this.#above.add(from.slice(0, from.lastIndexOf('/', pattern) + 1));
  }

  /** @param {string} path */
  #isRedirected(path) {
    if (this.#above.has(`${path}/`)) return true;
    let at = path.indexOf('/', 1);
    for (let depth = 0; at >= 0 && depth < DEEPEST; depth += 1) {
      if (this.#above.has(path.slice(0, at + 1))) return true;
      at = path.indexOf('/', at + 1);
    }
    // A line for all that is not there leads to a page.
    return this.#above.has('/') && !FILES.has(endingOf(path));
  }
}
