import { IDL } from '@icp-sdk/core/candid';
import type { ReadingBudget } from './budget.ts';
import { CandidError } from '../errors.ts';
import { unwrap } from '../types/to-idl.ts';
import type { WireReader } from './wire-reader.ts';

const MAGIC = 'DIDL';
/** Every entry of the table takes two bytes at least; the tables of real messages have some hundred. */
const MAX_ENTRIES = 10_000;

/** Codes of types without parts (Candid specification, "Types" of the binary format). */
const plainTypes: ReadonlyMap<number, IDL.Type> = new Map<number, IDL.Type>([
  [-1, IDL.Null],
  [-2, IDL.Bool],
  [-3, IDL.Nat],
  [-4, IDL.Int],
  [-5, IDL.Nat8],
  [-6, IDL.Nat16],
  [-7, IDL.Nat32],
  [-8, IDL.Nat64],
  [-9, IDL.Int8],
  [-10, IDL.Int16],
  [-11, IDL.Int32],
  [-12, IDL.Int64],
  [-13, IDL.Float32],
  [-14, IDL.Float64],
  [-15, IDL.Text],
  [-16, IDL.Reserved],
  [-17, IDL.Empty],
  [-24, IDL.Principal],
]);

const kinds = { opt: -18, vec: -19, record: -20, variant: -21, func: -22, service: -23 } as const;
const annotations: Readonly<Record<number, string>> = { 1: 'query', 2: 'oneway', 3: 'composite_query' };

/** Types of the values of an encoded message. */
export interface WireTypes {
  readonly types: readonly IDL.Type[];
  /** What the types of the table are called in a sentence: a message does not name them. */
  readonly names: ReadonlyMap<IDL.Type, string>;
}

/**
 * Reads the head of an encoded message, up to its values.
 * Throws CandidError when it is not well-formed, or has more types than the budget.
 */
export function readWireTypes(reader: WireReader, budget: ReadingBudget): WireTypes {
  const magic = new TextDecoder('latin1').decode(reader.take(Math.min(MAGIC.length, reader.left)));
  if (magic !== MAGIC) throw new CandidError(`a Candid message begins with "${MAGIC}"`);
  const count = (): number => {
    const length = reader.count();
    if (length > MAX_ENTRIES) throw new CandidError('the message has too many types to be checked');
    budget.types(length);
    return length;
  };
  const knots = Array.from({ length: count() }, () => IDL.Rec());
  const names = new Map<IDL.Type, string>();
  const refer = (code: number): IDL.Type => {
    const type = code < 0 ? plainTypes.get(code) : knots[code];
    if (type === undefined) throw new CandidError('the message names a type that does not exist');
    return type;
  };
  const reference = (): IDL.Type => refer(reader.typeCode());
  const references = (): IDL.Type[] => Array.from({ length: count() }, reference);
  for (const knot of knots) {
    const [type, name] = readEntry(reader, { count, reference, references });
    knot.fill(type);
    names.set(knot, name);
    names.set(type, name);
  }
  for (const type of names.keys()) {
    const wrong =
      type instanceof IDL.ServiceClass &&
      type._fields.some(([, method]) => !(unwrap(method) instanceof IDL.FuncClass));
    if (wrong) throw new CandidError('a method of a service in the message is not a function');
  }
  return { types: references(), names };
}

/** What entries of the table are made of. */
interface Parts {
  /** How many parts of one kind follow. */
  readonly count: () => number;
  readonly reference: () => IDL.Type;
  readonly references: () => IDL.Type[];
}

function readEntry(reader: WireReader, parts: Parts): [type: IDL.ConstructType, name: string] {
  const { count, reference, references } = parts;
  const code = reader.typeCode();
  if (code === kinds.opt) return [IDL.Opt(reference()), 'opt'];
  if (code === kinds.vec) {
    const inner = reference();
    return [IDL.Vec(inner), inner === IDL.Nat8 ? 'blob' : 'vec'];
  }
  if (code === kinds.record) return [IDL.Record(readFields(reader, parts)), 'record'];
  if (code === kinds.variant) return [IDL.Variant(readFields(reader, parts)), 'variant'];
  if (code === kinds.func) {
    const [first, ...rest] = references();
    const results = references();
    const modes = [...reader.take(count())].map((mode) => annotations[mode] ?? 'unknown');
    const [result, ...others] = results;
    return [IDL.Func(first ? [first, ...rest] : [], result ? [result, ...others] : [], modes), 'func'];
  }
  if (code === kinds.service) {
    const methods = Array.from({ length: count() }, () => [reader.text(), reference()]);
    return [IDL.Service(Object.fromEntries(methods)), 'service'];
  }
  throw new CandidError('the message has a type of an unknown kind');
}

/** Fields by their ids, which ascend. */
function readFields(reader: WireReader, { count, reference }: Parts): Record<string, IDL.Type> {
  const fields: [string, IDL.Type][] = [];
  let before = -1;
  for (let left = count(); left > 0; left--) {
    const id = reader.count();
    if (id <= before || id >= 2 ** 32) throw new CandidError('the fields of a type are not in their order');
    before = id;
    fields.push([`_${id}_`, reference()]);
  }
  return Object.fromEntries(fields);
}
