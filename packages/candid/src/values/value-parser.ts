import { CandidSyntaxError, type Position } from '../errors.ts';
import type { LabelNode, TypeNode } from '../types/ast.ts';
import { TokenStream } from '../types/token-stream.ts';
import { parseLabel, parseType } from '../types/type-parser.ts';

/** A field of a written record or variant value. */
export interface FieldValueNode extends Position {
  readonly label: LabelNode;
  readonly value: ValueNode;
}

/** A Candid value as written, before it is fitted to a type. */
export type ValueNode =
  | (Position & { readonly kind: 'null' })
  | (Position & { readonly kind: 'bool'; readonly value: boolean })
  | (Position & { readonly kind: 'number'; readonly source: string })
  | (Position & { readonly kind: 'text' | 'blob'; readonly bytes: Uint8Array })
  | (Position & { readonly kind: 'principal' | 'service'; readonly id: string })
  | (Position & { readonly kind: 'func'; readonly id: string; readonly method: string })
  | (Position & { readonly kind: 'opt'; readonly inner: ValueNode })
  | (Position & { readonly kind: 'vec'; readonly items: readonly ValueNode[] })
  | (Position & { readonly kind: 'record'; readonly fields: readonly FieldValueNode[] })
  | (Position & { readonly kind: 'variant'; readonly field: FieldValueNode })
  | (Position & { readonly kind: 'typed'; readonly inner: ValueNode; readonly type: TypeNode });

/**
 * Parses a list of written values such as `(42, "x", opt record { a = 1 : nat8 })`.
 * A single value may stand without the brackets. Throws CandidSyntaxError.
 */
export function parseValueList(text: string): ValueNode[] {
  const stream = new TokenStream(text);
  const bare = !stream.at('(');
  const values = bare ? [parseTyped(stream)] : stream.list('(', ',', ')', () => parseTyped(stream));
  if (stream.peek().kind !== 'end') {
    throw stream.unexpected(bare ? 'round brackets around the arguments' : 'the end of the text');
  }
  return values;
}

function parseTyped(stream: TokenStream): ValueNode {
  const inner = stream.nested(() => parseValue(stream));
  const { line, column } = inner;
  if (!stream.accept(':')) return inner;
  return { kind: 'typed', inner, type: parseType(stream), line, column };
}

function parseValue(stream: TokenStream): ValueNode {
  const token = stream.peek();
  const { line, column } = token;
  if (stream.accept('(')) {
    const inner = parseTyped(stream);
    stream.expect(')', 'after the value in brackets');
    return inner;
  }
  if (token.kind === 'number') {
    stream.next();
    return { kind: 'number', source: token.source, line, column };
  }
  if (token.kind === 'text' && token.bytes) {
    stream.next();
    return { kind: 'text', bytes: token.bytes, line, column };
  }
  if (token.kind !== 'id') throw stream.unexpected('a value');
  stream.next();
  switch (token.source) {
    case 'null':
      return { kind: 'null', line, column };
    case 'true':
    case 'false':
      return { kind: 'bool', value: token.source === 'true', line, column };
    case 'inf':
    case 'nan':
      return { kind: 'number', source: token.source, line, column };
    case 'blob': {
      const content = stream.peek();
      if (content.kind !== 'text' || !content.bytes) throw stream.unexpected('a text after blob');
      stream.next();
      return { kind: 'blob', bytes: content.bytes, line, column };
    }
    case 'principal':
    case 'service':
      return { kind: token.source, id: stream.expectText(`a text after ${token.source}`), line, column };
    case 'func':
      return { kind: 'func', ...parseFuncReference(stream), line, column };
    case 'opt':
      return { kind: 'opt', inner: stream.nested(() => parseValue(stream)), line, column };
    case 'vec':
      return { kind: 'vec', items: stream.list('{', ';', '}', () => parseTyped(stream)), line, column };
    case 'record':
      return { kind: 'record', fields: parseRecordFields(stream), line, column };
    case 'variant':
      return { kind: 'variant', field: parseVariantField(stream), line, column };
    default:
      throw stream.unexpected('a value (a text needs double quotes)', token);
  }
}

function parseFuncReference(stream: TokenStream): { id: string; method: string } {
  const id = stream.expectText('the canister id as a text after func');
  stream.expect('.', 'and the name of the method');
  const name = stream.peek();
  if (name.kind === 'text') return { id, method: stream.expectText('the name of the method') };
  if (name.kind !== 'id') throw stream.unexpected('the name of the method');
  return { id, method: stream.next().source };
}

function parseRecordFields(stream: TokenStream): FieldValueNode[] {
  const seen = new Set<number>();
  let nextId = 0;
  return stream.list('{', ';', '}', (): FieldValueNode => {
    const { line, column } = stream.peek();
    const labelled = stream.at('=', 1);
    const label = labelled ? parseLabel(stream) : { id: nextId };
    if (labelled) stream.next();
    if (seen.has(label.id)) {
      const shown = label.name ?? String(label.id);
      throw new CandidSyntaxError(`the field ${shown} is given twice`, { line, column });
    }
    seen.add(label.id);
    nextId = label.id + 1;
    return { label, value: parseTyped(stream), line, column };
  });
}

function parseVariantField(stream: TokenStream): FieldValueNode {
  stream.expect('{', 'after variant');
  const { line, column } = stream.peek();
  const label = parseLabel(stream);
  const value: ValueNode = stream.accept('=') ? parseTyped(stream) : { kind: 'null', line, column };
  stream.accept(';');
  stream.expect('}', 'after the choice of the variant');
  return { label, value, line, column };
}
