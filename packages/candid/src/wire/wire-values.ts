import { IDL } from '@icp-sdk/core/candid';
import type { ReadingBudget } from './budget.ts';
import { CandidError } from '../errors.ts';
import { unwrap } from '../types/to-idl.ts';
import type { WireReader } from './wire-reader.ts';

/** Bytes of plain values that have always as many. */
const fixedBytes: ReadonlyMap<IDL.Type, number> = new Map<IDL.Type, number>([
  [IDL.Null, 0],
  [IDL.Reserved, 0],
  [IDL.Nat8, 1],
  [IDL.Nat16, 2],
  [IDL.Nat32, 4],
  [IDL.Nat64, 8],
  [IDL.Int8, 1],
  [IDL.Int16, 2],
  [IDL.Int32, 4],
  [IDL.Int64, 8],
  [IDL.Float32, 4],
  [IDL.Float64, 8],
]);

/** How many fields the widest record or variant within some types has. */
export function widestOf(types: readonly IDL.Type[]): number {
  const seen = new Set<IDL.Type>();
  const left = [...types];
  let widest = 1;
  for (let outer = left.pop(); outer !== undefined; outer = left.pop()) {
    const type = unwrap(outer);
    if (seen.has(type)) continue;
    seen.add(type);
    if (type instanceof IDL.VecClass || type instanceof IDL.OptClass) left.push(type._type);
    if (!(type instanceof IDL.RecordClass || type instanceof IDL.VariantClass)) continue;
    widest = Math.max(widest, type._fields.length);
    for (const [, part] of type._fields) left.push(part);
  }
  return widest;
}

/** Reads over the values of a message, none of which is kept. */
export class WireValues {
  readonly #reader: WireReader;
  readonly #budget: ReadingBudget;
  readonly #widest: number;

  /** @param widest fields of the widest type that the values are read as */
  constructor(reader: WireReader, budget: ReadingBudget, widest: number) {
    this.#reader = reader;
    this.#budget = budget;
    this.#widest = widest;
  }

  /** Throws CandidError when the bytes are no values of the types, or more than the budget. */
  skip(types: readonly IDL.Type[]): void {
    for (const type of types) this.#value(type);
    if (this.#reader.left > 0) throw new CandidError('there are bytes after the last value');
  }

  #value(outer: IDL.Type): void {
    const type = unwrap(outer);
    const bytes = fixedBytes.get(type);
    this.#budget.within(() => {
      if (bytes === undefined) this.#parts(type);
      else this.#reader.take(bytes);
    });
  }

  #parts(type: IDL.Type): void {
    const reader = this.#reader;
    if (type instanceof IDL.RecordClass || type instanceof IDL.VariantClass)
      this.#budget.compare(this.#widest);
    if (type instanceof IDL.NatClass || type instanceof IDL.IntClass)
      this.#budget.number(reader.skipNumber());
    else if (type instanceof IDL.BoolClass) this.#flag();
    else if (type instanceof IDL.TextClass) reader.text();
    else if (type instanceof IDL.OptClass) {
      if (this.#flag()) this.#value(type._type);
    } else if (type instanceof IDL.VecClass) this.#vec(type._type);
    else if (type instanceof IDL.RecordClass) for (const [, field] of type._fields) this.#value(field);
    else if (type instanceof IDL.VariantClass) {
      const chosen = type._fields[reader.count()];
      if (chosen === undefined) throw new CandidError('a variant has a case that its type does not have');
      this.#value(chosen[1]);
    } else if (type instanceof IDL.PrincipalClass || type instanceof IDL.ServiceClass) this.#reference();
    else if (type instanceof IDL.FuncClass) {
      if (this.#flag()) {
        this.#reference();
        reader.text();
      }
    } else throw new CandidError('there is no value of the type `empty`');
  }

  #vec(element: IDL.Type): void {
    const count = this.#reader.count();
    const bytes = fixedBytes.get(element);
    if (bytes !== undefined && bytes > 0) {
      this.#reader.take(count * bytes);
      this.#budget.fixed(count, bytes);
    } else for (let index = 0; index < count; index++) this.#value(element);
  }

  #reference(): void {
    if (this.#flag()) this.#reader.take(this.#reader.count());
  }

  #flag(): boolean {
    const flag = this.#reader.byte();
    if (flag > 1) throw new CandidError('a flag is neither 0 nor 1');
    return flag === 1;
  }
}
