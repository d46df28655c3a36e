import { unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { quoteScript } from './quote.ts';

/** Types without parts, by the name they have in Candid. */
const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    null: 'Null',
    bool: 'Bool',
    nat: 'Nat',
    int: 'Int',
    text: 'Text',
    reserved: 'Reserved',
    empty: 'Empty',
    principal: 'Principal',
    float32: 'Float32',
    float64: 'Float64',
  }),
);

/** Types as expressions of `IDL`. A record, variant or reference is a constant before it is used, so each is written once. */
export class ScriptTypes {
  /** Statements that have to come first. */
  readonly statements: string[] = [];
  readonly #names = new Map<IDL.Type, string>();
  /** Types that are being written: whoever meets one again needs a knot. */
  readonly #open = new Map<IDL.Type, string | undefined>();
  #count = 0;

  /** The expression of a type. */
  of(outer: IDL.Type): string {
    const type = unwrap(outer);
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    if (this.#open.has(type)) {
      const knot = this.#open.get(type) ?? this.#declare('IDL.Rec()');
      this.#open.set(type, knot);
      return knot;
    }
    if (type instanceof IDL.FixedNatClass) return `IDL.Nat${type._bits}`;
    if (type instanceof IDL.FixedIntClass) return `IDL.Int${type._bits}`;
    const plain = PLAIN.get(type.name);
    if (plain !== undefined && !isMade(type)) return `IDL.${plain}`;
    return this.#made(type);
  }

  /** The expression of a function type. */
  func(args: readonly IDL.Type[], results: readonly IDL.Type[], modes: readonly string[]): string {
    const list = (types: readonly IDL.Type[]): string => `[${types.map((type) => this.of(type)).join(', ')}]`;
    return `IDL.Func(${list(args)}, ${list(results)}, [${modes.map(quoteScript).join(', ')}])`;
  }

  #made(type: IDL.Type): string {
    this.#open.set(type, undefined);
    const written = this.#written(type);
    const knot = this.#open.get(type);
    this.#open.delete(type);
    if (knot !== undefined) this.statements.push(`${knot}.fill(${written});`);
    const isShort = type instanceof IDL.OptClass || type instanceof IDL.VecClass;
    const name = knot ?? (isShort ? written : this.#declare(written));
    this.#names.set(type, name);
    return name;
  }

  #written(type: IDL.Type): string {
    if (type instanceof IDL.OptClass) return `IDL.Opt(${this.of(type._type)})`;
    if (type instanceof IDL.VecClass) return `IDL.Vec(${this.of(type._type)})`;
    if (type instanceof IDL.FuncClass) return this.func(type.argTypes, type.retTypes, type.annotations);
    if (type instanceof IDL.ServiceClass) return `IDL.Service(${this.#fields(type._fields)})`;
    if (type instanceof IDL.TupleClass) {
      return `IDL.Tuple(${type._fields.map(([, part]) => this.of(part)).join(', ')})`;
    }
    if (type instanceof IDL.RecordClass) return `IDL.Record(${this.#fields(type._fields)})`;
    if (type instanceof IDL.VariantClass) return `IDL.Variant(${this.#fields(type._fields)})`;
    throw new TypeError(`There is no expression for the type ${type.name}`);
  }

  #fields(fields: readonly (readonly [string, IDL.Type])[]): string {
    // In brackets, since a plain key __proto__ would be no field.
    return `{ ${fields.map(([key, part]) => `[${quoteScript(key)}]: ${this.of(part)}`).join(', ')} }`;
  }

  #declare(expression: string): string {
    this.#count += 1;
    const name = `type${this.#count}`;
    this.statements.push(`const ${name} = ${expression};`);
    return name;
  }
}

function isMade(type: IDL.Type): boolean {
  return type instanceof IDL.ConstructType;
}
