import { SHORTEST_SECRET } from '@cannery/contract';
import { withoutControls } from './visible-text.ts';

/** A text as it is compared with secrets: without spaces and colours, in small letters. */
export interface Letters {
  readonly text: string;
  /** Where a letter is in the whole text. */
  placeOf(letter: number): number;
}

const ESCAPE = 0x1b;
const LAST_ASCII = 0x7f;
/** Of other scripts, those that do not break, and the empty pattern of Braille, which looks like one. */
const OTHER_SPACES: ReadonlySet<number> = new Set([0xa0, 0x1680, 0x202f, 0x205f, 0x2800, 0x3000]);

/** Reads a text once, from its beginning to its end. */
export function lettersOf(text: string): Letters {
  const places = new Uint32Array(text.length);
  const codes = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === ESCAPE) {
      at = endOfColour(text, at);
      continue;
    }
    if (isSpace(code)) continue;
    places[length] = at;
    codes[length] = smallLetter(code);
    length += 1;
  }
  return { text: textOf(codes.subarray(0, length)), placeOf: (letter) => places[letter] ?? text.length };
}

/** The last character of a colour, or of what else begins like one. */
function endOfColour(text: string, start: number): number {
  if (text[start + 1] !== '[') return start;
  let at = start + 2;
  while (at < text.length && text.charCodeAt(at) < 0x40) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return (
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d) ||
    (code >= 0x2000 && code <= 0x200a) ||
    OTHER_SPACES.has(code)
  );
}

/** One unit for one unit: letters whose small form is longer stay as they are. */
function smallLetter(code: number): number {
  if (code <= LAST_ASCII) return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  const small = String.fromCharCode(code).toLowerCase();
  return small.length === 1 ? small.charCodeAt(0) : code;
}

function textOf(codes: Uint16Array): string {
  return Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le');
}

/**
 * Characters of all encoded forms, so that the start of a run stays short: as many as 150 kB of secrets have. Beyond it secrets
 * and their lines are looked for as they are.
 */
const ENCODED_LIMIT = 4_000_000;

/**
 * The forms in which programs print secrets: as they are, each line of them, quoted for JSON and shells, in addresses, in hexadecimal, and
 * in base64, also as a part of what is encoded (`Basic` has a name before).
 */
export function secretForms(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/));
  // Passwords are short, and come before files; of files the longest lines tell most.
  const texts = [
    ...secrets.toSorted((a, b) => a.length - b.length),
    ...lines.toSorted((a, b) => b.length - a.length),
  ].flatMap((text) => [text, withoutControls(text)]);
  const forms = new Set<string>(texts);
  let length = 0;
  for (const text of new Set(texts)) {
    if (text.length < SHORTEST_SECRET) continue;
    if (length > ENCODED_LIMIT) break;
    for (const form of encodedForms(text)) {
      forms.add(form);
      length += form.length;
    }
  }
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET);
}

function encodedForms(text: string): string[] {
  const address = encodeURIComponent(text.toWellFormed());
  // What some programs escape besides (RFC 3986), and how forms write a space.
  const strict = address.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const bytes = Buffer.from(text);
  const pairs = bytes.toString('hex').match(/../g) ?? [];
  return [
    text.toUpperCase(),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll("'", "'\\''"),
    address,
    strict,
    address.replaceAll('%20', '+'),
    ...['', ':', '-', ',', '%', '\\x', '0x', ',0x'].map((between) => pairs.join(between)),
    ...base64Forms(bytes),
  ];
}

/** Base64 of bytes that begin at each of the three places of a group; what depends on the bytes around them is left out. */
function base64Forms(bytes: Buffer): string[] {
  const forms = [bytes.toString('base64'), bytes.toString('base64url')];
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor((shifted.length * 8) / 6);
    for (const alphabet of ['base64', 'base64url'] as const)
      forms.push(shifted.toString(alphabet).slice(first, end));
  }
  return forms;
}
