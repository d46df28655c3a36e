import type { Position } from '../errors.ts';

/** Names of the types without parts. `blob` has its own node because it is written so. */
export const PRIMITIVE_NAMES = [
  'null',
  'bool',
  'nat',
  'int',
  'nat8',
  'nat16',
  'nat32',
  'nat64',
  'int8',
  'int16',
  'int32',
  'int64',
  'float32',
  'float64',
  'text',
  'reserved',
  'empty',
  'principal',
] as const;

/** Name of a type without parts. */
export type PrimitiveName = (typeof PRIMITIVE_NAMES)[number];

/** How a method may be called; none of them means update. */
export type FuncMode = 'query' | 'composite_query' | 'oneway';

/** Words that cannot be an identifier unless quoted. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  'blob',
  'composite_query',
  'func',
  'import',
  'null',
  'oneway',
  'opt',
  'principal',
  'query',
  'record',
  'service',
  'type',
  'variant',
  'vec',
]);

/** Label of a field: on the wire only the 32-bit id counts, the name is what people read. */
export interface LabelNode {
  readonly id: number;
  readonly name?: string;
}

/** A field of a record or variant. `positional` says the label was left out. */
export interface FieldNode extends Position {
  readonly label: LabelNode;
  readonly type: TypeNode;
  readonly positional: boolean;
  readonly docs: readonly string[];
}

/** An argument or result, named or not. */
export interface ArgNode {
  readonly name?: string;
  readonly type: TypeNode;
}

/** A function type. */
export interface FuncNode extends Position {
  readonly kind: 'func';
  readonly args: readonly ArgNode[];
  readonly results: readonly ArgNode[];
  readonly mode?: FuncMode;
}

/** A reference to a named type. */
export interface NameNode extends Position {
  readonly kind: 'name';
  readonly name: string;
}

/** A method of a service. */
export interface MethodNode extends Position {
  readonly name: string;
  readonly type: FuncNode | NameNode;
  readonly docs: readonly string[];
}

/** A service type. */
export interface ServiceNode extends Position {
  readonly kind: 'service';
  readonly methods: readonly MethodNode[];
}

/** Any Candid type as written. */
export type TypeNode =
  | (Position & { readonly kind: 'primitive'; readonly name: PrimitiveName })
  | (Position & { readonly kind: 'blob' })
  | (Position & { readonly kind: 'opt' | 'vec'; readonly inner: TypeNode })
  | (Position & { readonly kind: 'record' | 'variant'; readonly fields: readonly FieldNode[] })
  | NameNode
  | FuncNode
  | ServiceNode;

/** A `type X = ...` definition. */
export interface TypeDefinition extends Position {
  readonly name: string;
  readonly type: TypeNode;
  readonly docs: readonly string[];
}

/** The main service of a .did file; `init` holds the install arguments when the file names them. */
export interface ActorNode extends Position {
  readonly init?: readonly ArgNode[];
  readonly type: ServiceNode | NameNode;
}

/** A whole .did file. */
export interface Program {
  readonly types: readonly TypeDefinition[];
  readonly actor?: ActorNode;
}
