// Finds the links of a page for the site check, in one pass: every search goes on from where the last one ended.

/** Elements whose content is text: no tag begins in it but the one that ends it. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
/** Attributes by which elements name what a browser opens or loads. */
const LINKING = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['link', 'href'],
  ['base', 'href'],
  ...['img', 'script', 'iframe', 'audio', 'video', 'source', 'track', 'embed'].map(
    (tag) => /** @type {[string, string]} */ ([tag, 'src']),
  ),
]);
/** What `link` elements name that a browser loads; others name addresses for machines, such as feeds. */
const LOADED =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|mask-icon|manifest|modulepreload|preload|prefetch)(?:\s|$)/i;
/** Longer values are no links that somebody has written: they hold data. */
const LONGEST = 2_048;
/** Names in `&…;` that stand in addresses. */
const ENTITIES = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
]);

/** @param {number} code */
function isSpace(code) {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** @param {number} code */
function isLetter(code) {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

const [SLASH, GREATER, EQUALS, QUOTE, APOSTROPHE] = [0x2f, 0x3e, 0x3d, 0x22, 0x27];

/** Goes through the tags of a page. */
class Tags {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** The name of the next tag in small letters, with a slash before that of an end; null at the end of the page. */
  next() {
    const { text } = this;
    for (;;) {
      const at = text.indexOf('<', this.at);
      if (at < 0) return null;
      const isEnd = text.charCodeAt(at + 1) === SLASH;
      const start = isEnd ? at + 2 : at + 1;
      if (isLetter(text.charCodeAt(start))) {
        let end = start;
        while (end < text.length && !this.#endsName(text.charCodeAt(end))) end += 1;
        this.at = end;
        return (isEnd ? '/' : '') + text.slice(start, Math.min(end, start + 20)).toLowerCase();
      }
      if (text.startsWith('<!--', at)) this.#skipTo('-->', at + 2);
      else if (isEnd || '!?'.includes(text.charAt(at + 1))) this.#skipTo('>', at + 1);
      else this.at = at + 1;
    }
  }

  /**
   * The attributes of the tag whose name was read, as far as their names are wanted; null when the page ends in it.
   * @param {readonly string[]} wanted
   */
  attributes(wanted) {
    const { text } = this;
    /** @type {Map<string, string>} */
    const found = new Map();
    for (;;) {
      while (isSpace(text.charCodeAt(this.at)) || text.charCodeAt(this.at) === SLASH) this.at += 1;
      if (this.at >= text.length) return null;
      if (text.charCodeAt(this.at) === GREATER) {
        this.at += 1;
        return found;
      }
      const start = this.at;
      this.at += 1;
      while (this.at < text.length && !this.#endsAttribute(text.charCodeAt(this.at))) this.at += 1;
      // Longer names are not wanted.
      const name = this.at - start > 10 ? '' : text.slice(start, this.at).toLowerCase();
      const value = this.#value();
      if (value === null) return null;
      if (wanted.includes(name) && !found.has(name)) found.set(name, value);
    }
  }

  /** The value of the attribute whose name was read; empty without one, null when the page ends in it. */
  #value() {
    const { text } = this;
    while (isSpace(text.charCodeAt(this.at))) this.at += 1;
    if (text.charCodeAt(this.at) !== EQUALS) return '';
    this.at += 1;
    while (isSpace(text.charCodeAt(this.at))) this.at += 1;
    const first = text.charCodeAt(this.at);
    let start = this.at;
    if (first === QUOTE || first === APOSTROPHE) {
      start += 1;
      const end = text.indexOf(text.charAt(this.at), start);
      if (end < 0) return null;
      this.at = end + 1;
      return text.slice(start, Math.min(end, start + LONGEST + 1));
    }
    while (
      this.at < text.length &&
      !isSpace(text.charCodeAt(this.at)) &&
      text.charCodeAt(this.at) !== GREATER
    )
      this.at += 1;
    return text.slice(start, Math.min(this.at, start + LONGEST + 1));
  }

  /** Goes behind the content of an element of text. @param {string} name */
  skipRaw(name) {
    const { text } = this;
    for (;;) {
      const at = text.indexOf('</', this.at);
      this.at = at < 0 ? text.length : at + 2;
      if (at < 0) return;
      const end = this.at + name.length;
      if (text.slice(this.at, end).toLowerCase() === name && this.#endsName(text.charCodeAt(end))) return;
    }
  }

  /** @param {string} mark @param {number} from */
  #skipTo(mark, from) {
    const end = this.text.indexOf(mark, from);
    this.at = end < 0 ? this.text.length : end + mark.length;
  }

  /** @param {number} code not a number at the end of the page */
  #endsName(code) {
    return Number.isNaN(code) || isSpace(code) || code === SLASH || code === GREATER;
  }

  /** @param {number} code */
  #endsAttribute(code) {
    return isSpace(code) || code === SLASH || code === GREATER || code === EQUALS;
  }
}

/**
 * The links of a page as they are written, and the addresses by which it says where they begin.
 * @param {string} text
 * @returns {Generator<{ value: string, isBase: boolean }>}
 */
export function* linksOfPage(text) {
  const tags = new Tags(text);
  let templates = 0;
  for (let name = tags.next(); name !== null; name = tags.next()) {
    const attribute = LINKING.get(name);
    const found = tags.attributes(attribute === undefined ? [] : [attribute, 'rel']);
    if (found === null) return;
    if (RAW.has(name)) tags.skipRaw(name);
    if (name === 'template') templates += 1;
    if (name === '/template' && templates > 0) templates -= 1;
    const value = attribute === undefined ? undefined : found.get(attribute);
    if (value === undefined || templates > 0) continue;
    if (name === 'link' && !LOADED.test(found.get('rel') ?? '')) continue;
    yield { value: plainValue(value), isBase: name === 'base' };
  }
}

/** A value without its character references, as far as they are known. @param {string} value */
function plainValue(value) {
  if (value.length > LONGEST || !value.includes('&')) return value;
  return value.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
