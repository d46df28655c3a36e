// Checks the files of a site before they are published; see check-site.ts, which says what the answers mean.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { Findings } from './check-findings.mjs';
import { linksOfPage } from './check-page.mjs';
import { PLACEHOLDER_LIMIT, Placeholders } from './check-placeholders.mjs';
import { SecretSearch } from './check-secrets.mjs';
import { addressOf, baseOf, endingOf, pathOf, Served } from './check-served.mjs';
import { linksOfStyle } from './check-style.mjs';
import { isInside, realPath, rootOf } from './places.mjs';

/** @typedef {import('./frames.mjs').Operation} Operation */
/**
 * @typedef {{ files: [path: string, place: string, hasAliases: boolean][], links: string[], redirected: string[], secrets: [string, string[]][],
 *   limits: { millis: number, pageBytes: number, pageFile: number, secretBytes: number, told: number } }} SiteRequest
 */

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
/** What is read at once, bytes. */
const PIECE = 256 * 1024;
/** The beginning that tells whether a file is text, bytes. */
const TELLING = 8 * 1024;
const PAGES = new Set(['html', 'htm']);
/** What has no text in it that anybody reads. */
const BINARY = new Set(
  (
    'png jpg jpeg gif webp avif ico bmp tiff woff woff2 ttf otf eot pdf wasm zip gz tgz br zst 7z rar ' +
    'mp3 mp4 m4a m4v webm ogg ogv wav mov'
  ).split(' '),
);

class SiteCheck {
  /** @type {'time' | 'size' | null} */
  cut = null;
  /** @type {Buffer} */
  #buffer;

  /** @param {string} root @param {SiteRequest} request */
  constructor(root, { files, links, redirected, secrets, limits }) {
    this.root = root;
    this.files = files;
    this.limits = limits;
    this.end = Date.now() + limits.millis;
    this.findings = new Findings(limits.told);
    this.served = new Served(files, redirected);
    this.search = new SecretSearch(secrets);
    this.placeholders = new Placeholders({ root, links, served: this.served });
    this.pageLeft = limits.pageBytes;
    this.secretLeft = limits.secretBytes;
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(limits.pageFile, PIECE));
  }

  run() {
    for (const [path, place] of this.files) {
      if (this.#isLate()) return;
      this.#open(place, (opened) => this.#file(opened, path, place));
    }
  }

  #isLate() {
    if (Date.now() > this.end) this.cut = 'time';
    return this.cut === 'time';
  }

  /** @param {string} place @param {(opened: number) => void} work */
  #open(place, work) {
    let opened = -1;
    try {
      const file = realPath(join(this.root, place));
      if (!isInside(file, this.root)) return;
      opened = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      work(opened);
    } catch (error) {
      // What cannot be read cannot be published, which says so.
      if (/** @type {NodeJS.ErrnoException} */ (error).code === undefined) throw error;
    } finally {
      if (opened >= 0) fs.closeSync(opened);
    }
  }

  /** The bytes at a place of a file; they are overwritten by those that are read next. @param {number} opened @param {number} from @param {number} most */
  #read(opened, from, most) {
    const bytes = this.#buffer.subarray(0, most);
    let at = 0;
    for (let read = -1; read !== 0 && at < bytes.length; at += read)
      read = fs.readSync(opened, bytes, at, bytes.length - at, from + at);
    return bytes.subarray(0, at);
  }

  /** @param {number} opened @param {string} path @param {string} place */
  #file(opened, path, place) {
    const found = fs.fstatSync(opened);
    if (!found.isFile()) return;
    const ending = endingOf(path);
    const isPage = PAGES.has(ending) || ending === 'css';
    const isText = this.search.texts.length > 0 && !BINARY.has(ending);
    if (!isPage && !isText && found.size > PLACEHOLDER_LIMIT) return;
    const head = this.#read(opened, 0, isPage ? this.limits.pageFile : PIECE);
    const instead = found.size > head.length ? null : this.placeholders.kindOf(head, path, place);
    if (instead !== null) return this.findings.add(instead, path);
    // Before what follows is read into the same bytes.
    if (isPage) this.#page(head, path, found.size);
    if (isText && !head.subarray(0, TELLING).includes(0)) this.#secrets(opened, path, head);
  }

  /** @param {Buffer} bytes @param {string} path @param {number} size */
  #page(bytes, path, size) {
    if (size > bytes.length || this.pageLeft < bytes.length) this.cut ??= 'size';
    if (this.pageLeft < bytes.length) return;
    this.pageLeft -= bytes.length;
    const text = bytes.toString('utf8');
    let base = addressOf(path);
    if (!PAGES.has(endingOf(path))) {
      for (const value of linksOfStyle(text)) this.#link(value, path, base);
      return;
    }
    let hasBase = false;
    for (const { value, isBase } of linksOfPage(text)) {
      if (!isBase) this.#link(value, path, base);
      else if (!hasBase) {
        const given = baseOf(value, base);
        // Nobody can tell where its links lead.
        if (given === null) return;
        base = given;
        hasBase = true;
      }
    }
  }

  /** @param {string} value @param {string} page @param {string} base */
  #link(value, page, base) {
    const path = pathOf(value, base);
    if (path !== null && !this.served.has(path))
      this.findings.addLink(page, path, this.served.inOtherLetters(path));
  }

  /** @param {number} opened @param {string} path @param {Buffer} head */
  #secrets(opened, path, head) {
    this.search.begin();
    let at = 0;
    for (let piece = head; piece.length > 0; piece = this.#read(opened, at, PIECE)) {
      this.secretLeft -= piece.length;
      if (this.secretLeft < 0) this.cut ??= 'size';
      if (this.secretLeft < 0 || this.#isLate()) break;
      at += piece.length;
      this.search.read(piece);
    }
    for (const name of this.search.found) this.findings.add('secrets', path, name);
  }
}

/** @type {Operation} */
export function checkSite(request) {
  const root = realPath(rootOf(request));
  const check = new SiteCheck(root, /** @type {SiteRequest & typeof request} */ (request));
  check.run();
  return { result: { found: check.findings.answer(), cut: check.cut } };
}
