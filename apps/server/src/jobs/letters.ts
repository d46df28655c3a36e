/** A text as it is compared with secrets: without spaces and colours, in small letters. */
export interface Letters {
  readonly text: string;
  /** Where a letter is in the whole text. */
  placeOf(letter: number): number;
}

const ESCAPE = 0x1b;
const LAST_ASCII = 0x7f;

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
    code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || (code >= 0x2000 && code <= 0x200a)
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
