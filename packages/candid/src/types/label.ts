import { KEYWORDS, type LabelNode } from './ast.ts';

const ID_LABEL = /^_(\d+)_$/;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const encoder = new TextEncoder();

/** The 32-bit field id of a name: sum of its UTF-8 bytes times powers of 223, modulo 2^32 (Candid specification, "Records"). */
export function labelHash(name: string): number {
  let hash = 0;
  for (const byte of encoder.encode(name)) {
    hash = (Math.imul(hash, 223) + byte) >>> 0;
  }
  return hash;
}

/**
 * Names that every object has. The IDL library keeps values in plain objects, where a field of such a name would be taken for
 * the object's (`hasOwnProperty`), or would change what it is (`__proto__`).
 */
const inherited: ReadonlyMap<number, string> = new Map(
  Object.getOwnPropertyNames(Object.prototype).map((name) => [labelHash(name), name]),
);

/** The key under which the IDL library keeps a field: its name, or `_id_` when it has none or one that every object has. */
export function labelKey({ name, id }: LabelNode): string {
  if (name === undefined || inherited.has(id) || /^_(\d+|0x[0-9a-fA-F]+)_$/.test(name)) return `_${id}_`;
  return name;
}

/** The name of a field by its key of the IDL library: `owner`, `hasOwnProperty`, or `5` for one without a name. */
export function keyName(key: string): string {
  const id = ID_LABEL.exec(key)?.[1];
  return id === undefined ? key : (inherited.get(Number(id)) ?? id);
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
  const id = ID_LABEL.exec(key)?.[1];
  const name = id === undefined ? key : inherited.get(Number(id));
  return name === undefined ? (id ?? '') : printName(name);
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
