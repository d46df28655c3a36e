import { readArgument, readHeaderList } from '../content/arguments';
import { Header } from '../content/asset';
import { Bytes } from '../base/bytes';
import { CandidReader, Fields } from '../candid/candid-reader';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { NAT16, NAT8, TEXT } from '../candid/candid-types';
import { hashRules } from './evidence';
import * as f from '../candid/field-ids';
import { allRules, EXACT, PATTERN, Rule, SUBTREE } from '../content/rules';
import { begin, finish } from '../base/sha256';
import { reply } from '../base/system';

/** `get_redirect_rules` answers with at most this many rules. */
const PAGE: u64 = 500;

/** Reads `record { rules : vec RedirectRule }`. */
export function readRules(reader: CandidReader, type: i32): Array<Rule> {
  const rules: Array<Rule> = [];
  for (const fields = new Fields(reader, type); fields.next(); ) {
    if (fields.id !== f.RULES) {
      reader.skip(fields.type);
      continue;
    }
    for (let left = reader.vecLength(fields.type); left > 0; left--) rules.push(readRule(reader, reader.itemType(fields.type)));
  }
  return rules;
}

function readRule(reader: CandidReader, type: i32): Rule {
  let kind: i32 = -1;
  let from = '';
  let to = '';
  let status: u16 = 0;
  let headers: Array<Header> = [];
  for (const fields = new Fields(reader, type); fields.next(); ) {
    switch (fields.id) {
      case f.FROM: {
        const index = reader.variantIndex(fields.type);
        const tag = reader.fieldIds(fields.type)[index];
        kind = tag === f.TAG_EXACT ? EXACT : tag === f.TAG_SUBTREE ? SUBTREE : tag === f.TAG_PATTERN ? PATTERN : -1;
        if (kind < 0) reader.fail('unknown kind of redirect rule');
        from = reader.text(reader.fieldTypes(fields.type)[index]);
        break;
      }
      case f.TO: to = reader.text(fields.type); break;
      case f.STATUS: status = reader.nat16(fields.type); break;
      case f.HEADERS: headers = readHeaderList(reader, fields.type); break;
      default: reader.skip(fields.type);
    }
  }
  if (kind < 0) reader.fail('field from is missing');
  return new Rule(<u8>kind, from, to, status, headers);
}

class PatternKind {
  constructor(
    readonly kind: u8,
    readonly tag: u32,
  ) {}
}

/** In the order of their tags, which is that of the variant. */
function kindsByTag(): Array<PatternKind> {
  const kinds = [
    new PatternKind(EXACT, f.TAG_EXACT),
    new PatternKind(SUBTREE, f.TAG_SUBTREE),
    new PatternKind(PATTERN, f.TAG_PATTERN),
  ];
  return kinds.sort((a, b) => (a.tag < b.tag ? -1 : 1));
}

const KINDS = kindsByTag();

function rulesResult(): Bytes {
  const schema = new Schema();
  const tags: StaticArray<u32> = [KINDS[0].tag, KINDS[1].tag, KINDS[2].tag];
  const from = schema.variant(tags, [TEXT, TEXT, TEXT]);
  const headers = schema.vec(schema.record([0, 1], [TEXT, TEXT]));
  const ids: StaticArray<u32> = [f.TO, f.STATUS, f.FROM, f.HEADERS];
  return schema.results([schema.vec(schema.record(ids, [TEXT, NAT16, from, headers]))]);
}

function hashResult(): Bytes {
  const schema = new Schema();
  return schema.results([schema.opt(schema.vec(NAT8))]);
}

const RULES_RESULT = rulesResult();
const HASH_RESULT = hashResult();

/** The rules from one on, in the order in which they are tried. */
export function getRedirectRulesMethod(): void {
  const reader = readArgument();
  const all = allRules();
  const from = min(reader.nat64(reader.argument()), <u64>all.length);
  const to = min(from + PAGE, <u64>all.length);
  const writer = new CandidWriter(RULES_RESULT, 4096);
  writer.uleb(to - from);
  for (let i = <i32>from; i < <i32>to; i++) writeRule(writer, all[i]);
  reply(writer);
}

function writeRule(writer: CandidWriter, rule: Rule): void {
  writer.candidText(rule.to);
  writer.u16(rule.status);
  let index = 0;
  while (KINDS[index].kind !== rule.kind) index++;
  writer.uleb(index);
  writer.candidText(rule.from);
  writer.uleb(rule.headers.length);
  for (let i = 0; i < rule.headers.length; i++) {
    writer.candidText(rule.headers[i].name);
    writer.candidText(rule.headers[i].value);
  }
}

/** Tells whether the rules are those that somebody wants, without all of them. */
export function redirectRulesHashMethod(): void {
  const writer = new CandidWriter(HASH_RESULT);
  if (allRules().length === 0) {
    writer.none();
  } else {
    begin();
    hashRules(allRules());
    writer.some();
    writer.blob(finish());
  }
  reply(writer);
}
