// Recognises files that git has written for others, for the site check: pointers of Git LFS, and links as texts.
import { join, posix } from 'node:path';
import { endingOf } from './check-served.mjs';
import { isInside, realPath } from './places.mjs';

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1';
/** The most bytes of a pointer (git-lfs, docs/spec.md). */
const POINTER_LIMIT = 1_024;
/** Bytes of the path in a link: of what is known to be one (PATH_MAX), and of what looks like one. */
export const PLACEHOLDER_LIMIT = 4_095;
const LIKELY_LINK_LIMIT = 255;
/** What never is a path and nothing else. */
const NO_PATHS = new Set(
  (
    'html htm css js mjs json xml svg png jpg jpeg gif webp avif ico bmp woff woff2 ttf otf eot pdf wasm zip gz ' +
    'mp3 mp4 webm ogg wav webmanifest'
  ).split(' '),
);

/** Recognises them by what they hold. */
export class Placeholders {
  /** @param {{ root: string, links: readonly string[], served: import('./check-served.mjs').Served }} site `links` are those of the repository */
  constructor({ root, links, served }) {
    this.root = root;
    this.links = new Set(links);
    this.served = served;
  }

  /**
   * What a file is instead of what its name says; null for what it seems to be.
   * @param {Buffer} bytes all of it
   * @param {string} path
   * @param {string} place in the source folder
   */
  kindOf(bytes, path, place) {
    if (bytes.length <= POINTER_LIMIT && bytes.toString('latin1').startsWith(LFS_POINTER)) return 'pointers';
    return this.#isLink(bytes, path, place) ? 'links' : null;
  }

  /** @param {Buffer} bytes @param {string} path @param {string} place */
  #isLink(bytes, path, place) {
    const isKnown = this.links.has(place);
    if (bytes.length === 0 || bytes.length > (isKnown ? PLACEHOLDER_LIMIT : LIKELY_LINK_LIMIT)) return false;
    const text = bytes.toString('utf8');
    // oxlint-disable-next-line no-control-regex -- no path has them
    if (text !== text.trim() || text.startsWith('/') || /[\x00-\x1f\x7f\ufffd]/.test(text)) return false;
    if (isKnown && this.#isThere(posix.join(posix.dirname(place), text))) return true;
    if (!NO_PATHS.has(endingOf(path))) return false;
    const target = posix.join(posix.dirname(path), text);
    if (target !== path && this.served.hasFile(target)) return true;
    return /^\.\.?\//.test(text) && endingOf(text) === endingOf(path);
  }

  /** @param {string} place */
  #isThere(place) {
    try {
      return isInside(realPath(join(this.root, place)), this.root);
    } catch {
      return false;
    }
  }
}
