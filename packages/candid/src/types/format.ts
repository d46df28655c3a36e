import { IDL } from '@icp-sdk/core/candid';
import type { ArgNode, FieldNode, FuncNode, TypeNode } from './ast.ts';
import { printKey, printName } from './label.ts';
import { unwrap } from './to-idl.ts';

/** A parsed type as Candid text, on one line, with the names its author gave. */
export function formatNode(node: TypeNode): string {
  switch (node.kind) {
    case 'primitive':
    case 'name':
      return node.name;
    case 'blob':
      return 'blob';
    case 'opt':
    case 'vec':
      return `${node.kind} ${formatNode(node.inner)}`;
    case 'record':
    case 'variant':
      return braces(
        node.kind,
        node.fields.map((field) => formatField(field, node.kind === 'variant')),
      );
    case 'func':
      return `func ${formatSignature(node)}`;
    case 'service': {
      const methods = node.methods.map(({ name, type }) => {
        return `${printName(name)} : ${type.kind === 'func' ? formatSignature(type) : type.name}`;
      });
      return braces('service', methods);
    }
  }
}

/** The signature of a function as Candid text: `(owner : principal, nat) -> (opt text) query`. */
export function formatSignature({ args, results, mode }: FuncNode): string {
  return `${formatArgs(args)} -> ${formatArgs(results)}${mode ? ` ${mode}` : ''}`;
}

/** A list of arguments as Candid text, in round brackets. */
export function formatArgs(args: readonly ArgNode[]): string {
  const parts = args.map(({ name, type }) => {
    return name === undefined ? formatNode(type) : `${printName(name)} : ${formatNode(type)}`;
  });
  return `(${parts.join(', ')})`;
}

function formatField({ label, type, positional }: FieldNode, inVariant: boolean): string {
  if (positional) return formatNode(type);
  const name = label.name === undefined ? String(label.id) : printName(label.name);
  const isBare = inVariant && type.kind === 'primitive' && type.name === 'null';
  return isBare ? name : `${name} : ${formatNode(type)}`;
}

/** Parts of a type that are printed: types that use one another many times would be spelled without end. */
const MAX_PARTS = 2000;

/**
 * A type of the IDL library as Candid text, on one line. Types found in `names` are printed by name,
 * except the outermost one unless `nameOutermost` is set; a recursive type without a name gets one. Of a type with very
 * many parts the rest is left out, marked by an ellipsis.
 */
export function formatType(
  type: IDL.Type,
  names: ReadonlyMap<IDL.Type, string> = new Map(),
  nameOutermost = false,
): string {
  const name = names.get(type) ?? names.get(unwrap(type));
  if (nameOutermost && name !== undefined) return name;
  return new TypeFormatter(names).inside(type);
}

/** Definitions that are printed behind a list of types: each is a line for a reader. */
const MAX_DEFINITIONS = 20;

/**
 * A list of types as Candid text, on one line. A type that contains itself cannot be spelled out: it is printed by name, and its
 * definition stands behind the list, as in `(Tree), where type Tree = variant { leaf; node : record { Tree; Tree } }`.
 */
export function formatTypeList(types: readonly IDL.Type[], names: ReadonlyMap<IDL.Type, string>): string {
  const finder = new TypeFormatter(new Map());
  for (const type of types) finder.inside(type);
  const recursive = new Map(
    [...finder.recursive].map(([type, outer]) => [type, names.get(outer) ?? names.get(type) ?? outer.name]),
  );
  const list = `(${types.map((type) => formatType(type, recursive, true)).join(', ')})`;
  if (recursive.size === 0) return list;
  const definitions = [...recursive]
    .slice(0, MAX_DEFINITIONS)
    .map(([type, name]) => `type ${name} = ${formatType(type, recursive)}`);
  return `${list}, where ${definitions.join('; ')}${recursive.size > MAX_DEFINITIONS ? '; …' : ''}`;
}

class TypeFormatter {
  /** Types that were met inside themselves, as they were met. */
  readonly recursive = new Map<IDL.Type, IDL.Type>();
  readonly #names: ReadonlyMap<IDL.Type, string>;
  readonly #open = new Set<IDL.Type>();
  #left = MAX_PARTS;

  constructor(names: ReadonlyMap<IDL.Type, string>) {
    this.#names = names;
  }

  /** Prints the parts of a type; a type met again inside itself is printed by its library name. */
  inside(outer: IDL.Type): string {
    const type = unwrap(outer);
    if (this.#open.has(type)) {
      this.recursive.set(type, outer);
      return outer.name;
    }
    this.#open.add(type);
    const text = this.#composite(type);
    this.#open.delete(type);
    return text;
  }

  #part(type: IDL.Type): string {
    return this.#names.get(type) ?? this.#names.get(unwrap(type)) ?? this.inside(type);
  }

  #each<T>(items: readonly T[], print: (item: T) => string): string[] {
    const texts: string[] = [];
    for (const item of items) {
      if (this.#left === 0) return [...texts, '…'];
      this.#left -= 1;
      texts.push(print(item));
    }
    return texts;
  }

  #composite(type: IDL.Type): string {
    if (type instanceof IDL.VecClass) return isBlob(type) ? 'blob' : `vec ${this.#part(type._type)}`;
    if (type instanceof IDL.OptClass) return `opt ${this.#part(type._type)}`;
    if (type instanceof IDL.TupleClass) {
      return braces(
        'record',
        this.#each(type._fields, ([, part]) => this.#part(part)),
      );
    }
    if (type instanceof IDL.RecordClass) {
      return braces(
        'record',
        this.#each(type._fields, ([key, part]) => `${printKey(key)} : ${this.#part(part)}`),
      );
    }
    if (type instanceof IDL.VariantClass) {
      const parts = this.#each(type._fields, ([key, part]) => {
        return part instanceof IDL.NullClass ? printKey(key) : `${printKey(key)} : ${this.#part(part)}`;
      });
      return braces('variant', parts);
    }
    if (type instanceof IDL.FuncClass) return `func ${this.#signature(type)}`;
    if (type instanceof IDL.ServiceClass) {
      const methods = this.#each(
        type._fields,
        ([name, func]) => `${printName(name)} : ${this.#method(func)}`,
      );
      return braces('service', methods);
    }
    return type.name;
  }

  #method(type: IDL.Type): string {
    const func = unwrap(type);
    return func instanceof IDL.FuncClass ? this.#signature(func) : this.#part(type);
  }

  #signature({ argTypes, retTypes, annotations }: IDL.FuncClass): string {
    const list = (types: readonly IDL.Type[]): string =>
      this.#each(types, (part) => this.#part(part)).join(', ');
    return [`(${list(argTypes)}) -> (${list(retTypes)})`, ...annotations].join(' ');
  }
}

/** Whether a type is `vec nat8`, written `blob`. */
export function isBlob(type: IDL.Type): boolean {
  return type instanceof IDL.VecClass && type._type instanceof IDL.FixedNatClass && type._type._bits === 8;
}

function braces(word: string, parts: readonly string[]): string {
  return parts.length === 0 ? `${word} {}` : `${word} { ${parts.join('; ')} }`;
}
