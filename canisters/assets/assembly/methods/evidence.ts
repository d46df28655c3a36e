import { PropertyChanges, Request } from '../content/arguments';
import { Header, Properties, UNSET, YES } from '../content/asset';
import { addressOf, Bytes, compareBytes, Slice, utf8 } from '../base/bytes';
import { ByteWriter } from '../base/byte-writer';
import { Rule } from '../content/rules';
import { update } from '../base/sha256';

/**
 * How operations enter the hash that proposals are voted on by (`TAG_…` and `hash_…` of
 * `src/canisters/frontend/ic-certified-assets/src/evidence.rs` in dfinity/sdk). Tools compute the same from files.
 */
const FALSE: u8 = 0;
const TRUE: u8 = 1;
const NONE: u8 = 2;
const SOME: u8 = 3;
const CREATE_ASSET: u8 = 4;
const SET_ASSET_CONTENT: u8 = 5;
export const UNSET_ASSET_CONTENT: u8 = 6;
export const DELETE_ASSET: u8 = 7;
export const CLEAR: u8 = 8;
const SET_ASSET_PROPERTIES: u8 = 9;
/** The reference canister of dfinity/sdk has no redirect rules, so this number and `hashRules` are of this canister. */
const SET_REDIRECT_RULES: u8 = 10;

export function hashTag(tag: u8): void {
  const writer = new ByteWriter(1);
  writer.u8(tag);
  update(writer.pointer, 1);
}

function hashText(text: string): void {
  const bytes = utf8(text);
  update(addressOf(bytes), bytes.length);
}

function hashMaxAge(present: bool, maxAge: u64): void {
  hashTag(present ? SOME : NONE);
  if (!present) return;
  const writer = new ByteWriter(8);
  writer.u64(bswap(maxAge));
  update(writer.pointer, 8);
}

function hashOptBool(value: i8): void {
  hashTag(value === UNSET ? NONE : SOME);
  if (value !== UNSET) hashTag(value === YES ? TRUE : FALSE);
}

class Field {
  constructor(
    readonly name: Bytes,
    readonly value: string,
  ) {}
}

/** Headers count as a map: in order of their names, the last of a name. */
function hashHeaders(headers: Array<Header> | null): void {
  hashTag(headers === null ? NONE : SOME);
  if (headers === null) return;
  const fields: Array<Field> = [];
  for (let i = 0; i < headers.length; i++) {
    let replaced = false;
    for (let j = i + 1; j < headers.length; j++) replaced = replaced || headers[j].name == headers[i].name;
    if (!replaced) fields.push(new Field(utf8(headers[i].name), headers[i].value));
  }
  fields.sort((a, b) => compareBytes(a.name, b.name));
  for (let i = 0; i < fields.length; i++) {
    update(addressOf(fields[i].name), fields[i].name.length);
    hashText(fields[i].value);
  }
}

export function hashCreation(key: string, contentType: string, properties: Properties): void {
  hashTag(CREATE_ASSET);
  hashText(key);
  hashText(contentType);
  hashMaxAge(properties.hasMaxAge, properties.maxAge);
  hashHeaders(properties.headers);
  hashOptBool(properties.rawAccess);
  hashOptBool(properties.aliased);
}

/** The content itself follows. */
export function hashContentHead(key: string, encoding: string, hash: Slice | null): void {
  hashTag(SET_ASSET_CONTENT);
  hashText(key);
  hashText(encoding);
  hashTag(hash === null ? NONE : SOME);
  if (hash !== null) update(hash.pointer, hash.length);
}

export function hashRemoval(tag: u8, request: Request): void {
  hashTag(tag);
  hashText(request.needKey());
  if (tag === UNSET_ASSET_CONTENT) hashText(request.needContentEncoding());
}

/** Each text with its length before it, so that no two lists of rules are hashed alike. */
function hashPart(text: string): void {
  const bytes = utf8(text);
  const writer = new ByteWriter(4);
  writer.u32(bytes.length);
  update(writer.pointer, 4);
  update(addressOf(bytes), bytes.length);
}

export function hashRules(rules: Array<Rule>): void {
  hashTag(SET_REDIRECT_RULES);
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    hashTag(rule.kind);
    hashPart(rule.from);
    hashPart(rule.to);
    hashPart(rule.status.toString());
    hashPart(rule.headers.length.toString());
    for (let j = 0; j < rule.headers.length; j++) {
      hashPart(rule.headers[j].name);
      hashPart(rule.headers[j].value);
    }
  }
}

export function hashPropertyChanges(changes: PropertyChanges): void {
  hashTag(SET_ASSET_PROPERTIES);
  hashText(changes.key!);
  const values = changes.values;
  hashTag(changes.setsMaxAge ? SOME : NONE);
  if (changes.setsMaxAge) hashMaxAge(values.hasMaxAge, values.maxAge);
  hashTag(changes.setsHeaders ? SOME : NONE);
  if (changes.setsHeaders) hashHeaders(values.headers);
  hashTag(changes.setsRawAccess ? SOME : NONE);
  if (changes.setsRawAccess) hashOptBool(values.rawAccess);
  hashTag(changes.setsAliased ? SOME : NONE);
  if (changes.setsAliased) hashOptBool(values.aliased);
}
