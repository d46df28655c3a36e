import { Bytes, textOf, utf8 } from './bytes';

const PERCENT: u8 = 0x25;

function hexDigit(byte: u8): i32 {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** The decoded path of a request's URL: no query, no fragment, percent escapes resolved, no empty parts; `null` if not UTF-8. */
export function pathOf(url: string): string | null {
  let path = url;
  const scheme = path.indexOf('://');
  if (scheme > 0 && scheme < 6) {
    const slash = path.indexOf('/', scheme + 3);
    path = slash < 0 ? '/' : path.slice(slash);
  }
  const query = path.indexOf('?');
  if (query >= 0) path = path.slice(0, query);
  const fragment = path.indexOf('#');
  if (fragment >= 0) path = path.slice(0, fragment);
  const plain = path.includes('%') ? decoded(utf8(path)) : path;
  return plain === null ? null : withoutEmptyParts(plain);
}

/** Whether a URL asks for more than a path. */
export function hasQuery(url: string): bool {
  return url.includes('?');
}

/** Slashes that follow each other count as one, as they do where an answer is verified. */
function withoutEmptyParts(path: string): string {
  let plain = path;
  while (plain.includes('//')) plain = plain.replaceAll('//', '/');
  return plain;
}

/** A path as it is written in an address. */
export function escapedPath(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
}

/** Escapes that are not two hex digits stay as they are (URL standard, "percent-decode"). */
function decoded(bytes: Bytes): string | null {
  const plain = new StaticArray<u8>(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i];
    if (byte === PERCENT && i + 2 < bytes.length) {
      const high = hexDigit(bytes[i + 1]);
      const low = hexDigit(bytes[i + 2]);
      if (high >= 0 && low >= 0) {
        byte = <u8>((high << 4) | low);
        i += 2;
      }
    }
    plain[length++] = byte;
  }
  const exact = plain.slice<StaticArray<u8>>(0, length);
  const text = textOf(exact);
  return String.UTF8.byteLength(text) === length ? text : null;
}
