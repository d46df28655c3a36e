import { IDL } from '@icp-sdk/core/candid';
import { CandidError } from '../errors.ts';
import { unwrap } from '../types/to-idl.ts';
import { Op, type TableEntry, type WireMessage } from './wire-message.ts';

const plainTypes: ReadonlyMap<number, IDL.Type> = new Map<number, IDL.Type>([
  [Op.null, IDL.Null],
  [Op.bool, IDL.Bool],
  [Op.nat, IDL.Nat],
  [Op.int, IDL.Int],
  [Op.nat8, IDL.Nat8],
  [Op.nat16, IDL.Nat16],
  [Op.nat32, IDL.Nat32],
  [Op.nat64, IDL.Nat64],
  [Op.int8, IDL.Int8],
  [Op.int16, IDL.Int16],
  [Op.int32, IDL.Int32],
  [Op.int64, IDL.Int64],
  [Op.float32, IDL.Float32],
  [Op.float64, IDL.Float64],
  [Op.text, IDL.Text],
  [Op.reserved, IDL.Reserved],
  [Op.empty, IDL.Empty],
  [Op.principal, IDL.Principal],
]);

const annotations: Readonly<Record<number, string>> = { 1: 'query', 2: 'oneway', 3: 'composite_query' };

/** Types of the values of an encoded message. */
export interface WireTypes {
  readonly types: readonly IDL.Type[];
  /** What the types of the table are called in a sentence: a message does not name them. */
  readonly names: ReadonlyMap<IDL.Type, string>;
}

/** The types of a message, to be compared with others. Throws CandidError when a service has a method that is no function. */
export function typesOf(message: WireMessage): WireTypes {
  const knots = message.table.map(() => IDL.Rec());
  const names = new Map<IDL.Type, string>();
  const refer = (code: number): IDL.Type => plainTypes.get(code) ?? knots[code] ?? IDL.Empty;
  for (const [index, knot] of knots.entries()) {
    const entry = message.table[index];
    if (entry === undefined) continue;
    const [type, name] = typeOf(entry, refer);
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
  return { types: message.types.map(refer), names };
}

function typeOf(
  { op, fields, signature, methods }: TableEntry,
  refer: (code: number) => IDL.Type,
): [type: IDL.ConstructType, name: string] {
  const inner = refer(fields[0]?.type ?? Op.empty);
  if (op === Op.opt) return [IDL.Opt(inner), 'opt'];
  if (op === Op.vec) return [IDL.Vec(inner), inner === IDL.Nat8 ? 'blob' : 'vec'];
  if (signature) {
    const [first, ...rest] = signature.args.map(refer);
    const [result, ...others] = signature.results.map(refer);
    const modes = Array.from(signature.modes, (mode) => annotations[mode] ?? 'unknown');
    return [IDL.Func(first ? [first, ...rest] : [], result ? [result, ...others] : [], modes), 'func'];
  }
  if (methods) {
    const functions = methods.map(([name, type]): [string, unknown] => [name, refer(type)]);
    // Whether they are functions is told once the whole table is filled.
    return [IDL.Service(Object.fromEntries(functions) as Record<string, IDL.FuncClass>), 'service'];
  }
  const parts = Object.fromEntries(fields.map(({ hash, type }) => [`_${hash}_`, refer(type)]));
  return op === Op.record ? [IDL.Record(parts), 'record'] : [IDL.Variant(parts), 'variant'];
}
