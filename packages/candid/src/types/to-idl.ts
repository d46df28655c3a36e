import { IDL } from '@icp-sdk/core/candid';
import type {
  ArgNode,
  FieldNode,
  FuncNode,
  NameNode,
  PrimitiveName,
  ServiceNode,
  TypeDefinition,
  TypeNode,
} from './ast.ts';
import { CandidTypeError } from '../errors.ts';
import { withFieldOrder } from './field-order.ts';
import { labelKey } from './label.ts';

interface Sized {
  readonly type: IDL.Type;
  readonly parts: number;
}

const PRIMITIVES: Readonly<Record<PrimitiveName, Sized>> = {
  null: { type: IDL.Null, parts: 1 },
  bool: { type: IDL.Bool, parts: 1 },
  nat: { type: IDL.Nat, parts: 1 },
  int: { type: IDL.Int, parts: 1 },
  nat8: { type: IDL.Nat8, parts: 1 },
  nat16: { type: IDL.Nat16, parts: 1 },
  nat32: { type: IDL.Nat32, parts: 1 },
  nat64: { type: IDL.Nat64, parts: 1 },
  int8: { type: IDL.Int8, parts: 1 },
  int16: { type: IDL.Int16, parts: 1 },
  int32: { type: IDL.Int32, parts: 1 },
  int64: { type: IDL.Int64, parts: 1 },
  float32: { type: IDL.Float32, parts: 1 },
  float64: { type: IDL.Float64, parts: 1 },
  text: { type: IDL.Text, parts: 1 },
  reserved: { type: IDL.Reserved, parts: 1 },
  empty: { type: IDL.Empty, parts: 1 },
  principal: { type: IDL.Principal, parts: 1 },
};

/** Chains of definitions longer than this are refused, so that a hostile text cannot exhaust the stack. */
const MAX_CHAIN = 400;

/**
 * The IDL library identifies a type by spelling it out, so types used many times inside one another would
 * grow without bound. Named types with more parts than this become a knot, which is spelled as one word.
 */
const MAX_SPELLED_PARTS = 64;

/** The type behind a knot (`IDL.Rec`), or the type itself. */
export function unwrap(type: IDL.Type): IDL.Type {
  let current = type;
  while (current instanceof IDL.RecClass) {
    const inner: IDL.Type | undefined = current.getType();
    if (!inner) throw new TypeError('a recursive type is used before it is defined');
    current = inner;
  }
  return current;
}

/**
 * Turns parsed types into types of the IDL library; recursion goes through `IDL.Rec`.
 * Every definition is converted at once, so that the errors of unused ones show as well.
 * Throws CandidTypeError for an unknown name or a type that is only a name for itself.
 */
export class TypeConverter {
  /** The names under which composite types were defined, for printing. */
  readonly names = new Map<IDL.Type, string>();
  readonly #definitions: ReadonlyMap<string, TypeDefinition>;
  readonly #nodes = new Map<TypeNode, Sized>();
  readonly #done = new Map<string, Sized>();
  readonly #open = new Map<string, IDL.RecClass | undefined>();

  constructor(definitions: readonly TypeDefinition[]) {
    this.#definitions = new Map(definitions.map((definition) => [definition.name, definition]));
    for (const { name, line, column } of definitions) this.#named({ kind: 'name', name, line, column });
  }

  /** Converts one type. */
  convert(node: TypeNode): IDL.Type {
    return this.#convert(node).type;
  }

  /** The node behind a name, over any number of aliases. */
  definitionOf(reference: NameNode): Exclude<TypeNode, NameNode> {
    const seen = new Set<string>();
    let current: TypeNode = reference;
    while (current.kind === 'name') {
      const definition = this.#definitions.get(current.name);
      if (!definition) throw new CandidTypeError(`the type ${current.name} is not defined`, current);
      if (seen.has(current.name)) {
        throw new CandidTypeError(`the type ${current.name} is only another name for itself`, definition);
      }
      seen.add(current.name);
      current = definition.type;
    }
    return current;
  }

  #convert(node: TypeNode): Sized {
    if (node.kind === 'primitive') return PRIMITIVES[node.name];
    if (node.kind === 'name') return this.#named(node);
    // A method's types are converted with its service and once more for the method.
    const known = this.#nodes.get(node);
    if (known) return known;
    const converted = this.#composite(node);
    this.#nodes.set(node, converted);
    return converted;
  }

  #composite(node: Exclude<TypeNode, NameNode | { kind: 'primitive' }>): Sized {
    switch (node.kind) {
      case 'blob':
        return { type: IDL.Vec(IDL.Nat8), parts: 2 };
      case 'opt':
      case 'vec': {
        const { type, parts } = this.#convert(node.inner);
        return { type: node.kind === 'opt' ? IDL.Opt(type) : IDL.Vec(type), parts: parts + 1 };
      }
      case 'record':
      case 'variant':
        return this.#fields(node.kind, node.fields);
      case 'func':
        return this.#func(node);
      case 'service':
        return this.#service(node);
    }
  }

  #fields(kind: 'record' | 'variant', fields: readonly FieldNode[]): Sized {
    let parts = 1;
    const entries = fields.map((field): [number, string, IDL.Type] => {
      const converted = this.#convert(field.type);
      parts += converted.parts;
      return [field.label.id, labelKey(field.label), converted.type];
    });
    const inOrder = entries.map(([, key, type]): [string, IDL.Type] => [key, type]);
    // In the order of their ids: the library sorts, and hashes two names for each comparison.
    const byId = entries.toSorted(([left], [right]) => left - right);
    const byKey = Object.fromEntries(byId.map(([, key, type]) => [key, type]));
    if (kind === 'variant') return { type: withFieldOrder(IDL.Variant(byKey), inOrder), parts };
    const isTuple = byId.length > 0 && byId.every(([id], index) => id === index);
    if (isTuple) return { type: IDL.Tuple(...byId.map(([, , type]) => type)), parts };
    return { type: withFieldOrder(IDL.Record(byKey), inOrder), parts };
  }

  #func({ args, results, mode }: FuncNode): Sized {
    let parts = 1;
    const list = (nodes: readonly ArgNode[]): IDL.GenericIdlFuncArgs => {
      const [first, ...rest] = nodes.map((node) => {
        const converted = this.#convert(node.type);
        parts += converted.parts;
        return converted.type;
      });
      return first ? [first, ...rest] : [];
    };
    return { type: IDL.Func(list(args), list(results), mode ? [mode] : []), parts };
  }

  #service(node: ServiceNode): Sized {
    let parts = 1;
    const methods = node.methods.map((method): [string, IDL.FuncClass] => {
      const behind = method.type.kind === 'name' ? this.definitionOf(method.type) : method.type;
      if (behind.kind !== 'func') {
        throw new CandidTypeError(`the method ${method.name} must be of a function type`, method);
      }
      const converted = this.#convert(method.type);
      parts += converted.parts;
      // A function type that mentions its own service is still a knot here; the library takes either.
      return [method.name, converted.type as IDL.FuncClass];
    });
    return { type: IDL.Service(Object.fromEntries(methods)), parts };
  }

  #named(reference: NameNode): Sized {
    const { name } = reference;
    const done = this.#done.get(name);
    if (done) return done;
    if (this.#open.has(name)) {
      const knot = this.#open.get(name) ?? IDL.Rec();
      this.#open.set(name, knot);
      return { type: knot, parts: 1 };
    }
    if (this.#open.size >= MAX_CHAIN) {
      throw new CandidTypeError(`more than ${MAX_CHAIN} types define one another`, reference);
    }
    const composite = this.definitionOf(reference).kind !== 'primitive';
    const node = this.#definitions.get(name)?.type;
    if (!node) throw new CandidTypeError(`the type ${name} is not defined`, reference);

    this.#open.set(name, undefined);
    const converted = this.#convert(node);
    const large = composite && converted.parts > MAX_SPELLED_PARTS;
    const knot = this.#open.get(name) ?? (large ? IDL.Rec() : undefined);
    this.#open.delete(name);

    knot?.fill(converted.type as IDL.ConstructType);
    const sized = knot ? { type: knot, parts: 1 } : converted;
    if (composite && node.kind !== 'name') {
      this.names.set(sized.type, name);
      this.names.set(converted.type, name);
    }
    this.#done.set(name, sized);
    return sized;
  }
}
