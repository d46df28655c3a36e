import { KEYWORDS, type LabelNode } from './ast.ts';

const ID_LABEL = /^_(\d+)_$/;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The 32-bit field id of a name: sum of its UTF-8 bytes times powers of 223, modulo 2^32 (Candid specification, "Records"). */
export function labelHash(name: string): number {
  let hash = 0;
  for (const byte of new TextEncoder().encode(name)) {
    hash = (Math.imul(hash, 223) + byte) >>> 0;
  }
  return hash;
}

/** The key under which the IDL library keeps a field: its name, or `_id_` when it has none. */
export function labelKey(label: LabelNode): string {
  if (label.name === undefined || /^_(\d+|0x[0-9a-fA-F]+)_$/.test(label.name)) return `_${label.id}_`;
  return label.name;
}

/** The field id behind a key of the IDL library. */
export function keyId(key: string): number {
  const id = ID_LABEL.exec(key)?.[1];
  return id === undefined ? labelHash(key) : Number(id);
}

/** A name as it must be written in Candid: quoted when it is a keyword or holds odd characters. */
export function printName(name: string): string {
  if (PLAIN_NAME.test(name) && !KEYWORDS.has(name)) return name;
  return quoteText(name);
}

/** A key of the IDL library as Candid text: `owner`, `"odd name"` or `5`. */
export function printKey(key: string): string {
  return ID_LABEL.exec(key)?.[1] ?? printName(key);
}

/** A quoted Candid text with everything escaped that would be unreadable or ambiguous. */
export function quoteText(text: string): string {
  const escaped = text.replace(/["\\]|\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu, (character) => {
    switch (character) {
      case '"':
      case '\\':
        return `\\${character}`;
      case '\n':
        return '\\n';
      case '\r':
        return '\\r';
      case '\t':
        return '\\t';
      default:
        return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    }
  });
  return `"${escaped}"`;
}
