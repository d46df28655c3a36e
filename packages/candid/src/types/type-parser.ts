import {
  type ArgNode,
  type FieldNode,
  type FuncMode,
  type FuncNode,
  KEYWORDS,
  type LabelNode,
  type MethodNode,
  type NameNode,
  PRIMITIVE_NAMES,
  type PrimitiveName,
  type ServiceNode,
  type TypeNode,
} from './ast.ts';
import { CandidSyntaxError, CandidTypeError } from '../errors.ts';
import { labelHash } from './label.ts';
import { parseFieldId } from './number-text.ts';
import type { TokenStream } from './token-stream.ts';

const PRIMITIVES: ReadonlySet<string> = new Set(PRIMITIVE_NAMES);

/** Parses one type. */
export function parseType(stream: TokenStream): TypeNode {
  return stream.nested(() => parseTypeHere(stream));
}

function parseTypeHere(stream: TokenStream): TypeNode {
  const token = stream.peek();
  if (token.kind !== 'id') throw stream.unexpected('a type');
  const { source, line, column } = stream.next();
  if (isPrimitive(source)) return { kind: 'primitive', name: source, line, column };
  switch (source) {
    case 'blob':
      return { kind: 'blob', line, column };
    case 'opt':
    case 'vec':
      return { kind: source, inner: parseType(stream), line, column };
    case 'record':
    case 'variant':
      return { kind: source, fields: parseFields(stream, source), line, column };
    case 'func':
      return parseFuncBody(stream);
    case 'service':
      return parseServiceBody(stream);
    default:
      if (KEYWORDS.has(source)) throw stream.unexpected('a type', token);
      return { kind: 'name', name: source, line, column };
  }
}

function isPrimitive(word: string): word is PrimitiveName {
  return PRIMITIVES.has(word);
}

function parseFields(stream: TokenStream, of: 'record' | 'variant'): FieldNode[] {
  const names = new Map<number, string>();
  let nextId = 0;
  return stream.list('{', ';', '}', (): FieldNode => {
    const { line, column, docs } = stream.peek();
    const labelled = stream.at(':', 1);
    const bare = !labelled && of === 'variant';
    let label: LabelNode = { id: nextId };
    let type: TypeNode = { kind: 'primitive', name: 'null', line, column };
    if (labelled || bare) label = parseLabel(stream);
    if (labelled) stream.next();
    if (!bare) type = parseType(stream);
    const shown = label.name ?? String(label.id);
    const taken = names.get(label.id);
    if (taken !== undefined) {
      const why = taken === shown ? 'is listed twice' : `has the same id as ${taken}`;
      throw new CandidTypeError(`the field ${shown} ${why}`, { line, column });
    }
    if (label.id > 0xffff_ffff) {
      throw new CandidTypeError('the id of a field is at most 4294967295', { line, column });
    }
    names.set(label.id, shown);
    nextId = label.id + 1;
    return { label, type, positional: !labelled && !bare, docs, line, column };
  });
}

/** Parses a field's label: a name, a quoted name or a number. */
export function parseLabel(stream: TokenStream): LabelNode {
  const token = stream.peek();
  if (token.kind === 'number') {
    stream.next();
    return { id: parseFieldId(token) };
  }
  const name = parseName(stream, 'the name of a field');
  return { id: labelHash(name), name };
}

/** Reads a bare word as a reference to a named type. */
export function parseNameNode(stream: TokenStream): NameNode {
  const { source, line, column } = stream.next();
  return { kind: 'name', name: source, line, column };
}

/** Parses `{ method : type; ... }`. */
export function parseServiceBody(stream: TokenStream): ServiceNode {
  const { line, column } = stream.peek();
  const seen = new Set<string>();
  const methods = stream.list('{', ';', '}', (): MethodNode => {
    const at = stream.peek();
    const name = parseName(stream, 'a method name');
    if (seen.has(name)) throw new CandidTypeError(`the method ${name} is listed twice`, at);
    seen.add(name);
    stream.expect(':', `after the method name ${name}`);
    const type = stream.at('(') ? parseFuncBody(stream) : parseFuncName(stream);
    return { name, type, docs: at.docs, line: at.line, column: at.column };
  });
  return { kind: 'service', methods, line, column };
}

function parseFuncName(stream: TokenStream): NameNode {
  const token = stream.peek();
  if (token.kind !== 'id' || KEYWORDS.has(token.source)) {
    throw stream.unexpected("'(' with the arguments, or the name of a function type");
  }
  return parseNameNode(stream);
}

/** Parses `(args) -> (results) mode`. */
function parseFuncBody(stream: TokenStream): FuncNode {
  const { line, column } = stream.peek();
  const args = parseArgs(stream);
  stream.expect('->', 'after the arguments');
  const results = parseArgs(stream);
  const mode = parseMode(stream);
  if (mode === 'oneway' && results.length > 0) {
    throw new CandidTypeError('a oneway function has no results: write -> () oneway', { line, column });
  }
  const func = { kind: 'func', args, results, line, column } as const;
  return mode ? { ...func, mode } : func;
}

function parseMode(stream: TokenStream): FuncMode | undefined {
  let mode: FuncMode | undefined;
  for (;;) {
    const { kind, source } = stream.peek();
    if (kind !== 'id' || !isMode(source)) return mode;
    if (mode) throw new CandidSyntaxError('a function has at most one mode', stream.peek());
    mode = source;
    stream.next();
  }
}

function isMode(word: string): word is FuncMode {
  return word === 'query' || word === 'composite_query' || word === 'oneway';
}

/** Parses `(type, name : type, ...)`. */
export function parseArgs(stream: TokenStream): ArgNode[] {
  return stream.list('(', ',', ')', (): ArgNode => {
    const named = stream.at(':', 1) ? parseName(stream, 'a name for the argument') : undefined;
    if (named === undefined) return { type: parseType(stream) };
    stream.expect(':', 'after the name of the argument');
    return { name: named, type: parseType(stream) };
  });
}

function parseName(stream: TokenStream, what: string): string {
  const token = stream.peek();
  if (token.kind === 'text') return stream.expectText(what);
  if (token.kind === 'id' && KEYWORDS.has(token.source)) {
    throw new CandidSyntaxError(
      `'${token.source}' is a word of Candid; as a name it must be quoted: "${token.source}"`,
      token,
    );
  }
  if (token.kind !== 'id') throw stream.unexpected(what);
  return stream.next().source;
}
