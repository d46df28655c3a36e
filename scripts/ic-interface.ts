// The interface of the management canister as our table has it, compared with another statement.
import { createHash } from 'node:crypto';
import { IDL } from '@icp-sdk/core/candid';
import { parseService, type ServiceMethod, unwrap } from '../packages/candid/src/index.ts';
import { MANAGEMENT_METHODS } from '../packages/replica/src/management/table.ts';

interface Method {
  readonly name: string;
  readonly isQuery: boolean;
  readonly args: readonly IDL.Type[];
  readonly results: readonly IDL.Type[];
}

/**
 * `interfaceDigest` of the official ic.did: dfinity/developer-docs, public/references/ic.did, interface specification
 * 0.66.0. `check-ic-did.ts <path>` prints that of another one.
 */
export const SPECIFIED_DIGEST = 'ff1232e6d3f3aeadd5144e95668e4a65672e7bed619649df28485b510d594356';

const LOG_MEMORY = ['log_memory_limit', 'log_memory_store_size'];
/** Fields that methods of this network have beyond the specification, as the replica and the usual tools have them. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  canister_status: LOG_MEMORY,
  create_canister: LOG_MEMORY,
  fetch_canister_logs: ['filter'],
  provisional_create_canister_with_cycles: LOG_MEMORY,
  update_settings: LOG_MEMORY,
};

type Fields = readonly (readonly [name: string, type: IDL.Type])[];
const fieldsOf = (type: IDL.Type): Fields => (type as unknown as { _fields: Fields })._fields;
const innerOf = (type: IDL.Type): IDL.Type => (type as unknown as { _type: IDL.Type })._type;

const byName = <T extends { readonly name: string }>(a: T, b: T): number => (a.name < b.name ? -1 : 1);

/** The methods of our table. */
export function tableMethods(): Method[] {
  return [...MANAGEMENT_METHODS.values()]
    .map(({ name, query, argType, resultType }) => ({
      name,
      isQuery: query !== undefined,
      args: argType ? [argType] : [],
      results: resultType ? [resultType] : [],
    }))
    .toSorted(byName);
}

/** The methods a .did text states. */
export function statedMethods(did: string): Method[] {
  return parseService(did).methods.map(({ name, mode, args, results }: ServiceMethod) => ({
    name,
    isQuery: mode === 'query' || mode === 'composite_query',
    args,
    results,
  }));
}

/** The type as one text however it is written, without the fields named in `extra`. */
function canonicalText(type: IDL.Type, extra: readonly string[]): string {
  const bare = unwrap(type);
  if (bare instanceof IDL.OptClass || bare instanceof IDL.VecClass) {
    return `${bare instanceof IDL.OptClass ? 'opt' : 'vec'} ${canonicalText(innerOf(bare), extra)}`;
  }
  if (bare instanceof IDL.FuncClass) {
    const list = (types: readonly IDL.Type[]): string =>
      types.map((each) => canonicalText(each, extra)).join(',');
    return `func(${list(bare.argTypes)})(${list(bare.retTypes)})${bare.annotations.join(' ')}`;
  }
  if (!(bare instanceof IDL.RecordClass || bare instanceof IDL.VariantClass)) return bare.name;
  const fields = fieldsOf(bare).filter(([name]) => !extra.includes(name));
  const lines = fields.map(([name, field]) => `${name}:${canonicalText(field, extra)}`).toSorted();
  return `${bare instanceof IDL.RecordClass ? 'record' : 'variant'}{${lines.join(';')}}`;
}

/** SHA-256 (hexadecimal) that is the same for all statements of the same interface. */
export function interfaceDigest(methods: readonly Method[]): string {
  const lines = methods.map(({ name, isQuery, args, results }) => {
    const list = (types: readonly IDL.Type[]): string =>
      types.map((type) => canonicalText(type, EXTENSIONS[name] ?? [])).join(',');
    return `${name}${isQuery ? '?' : ''}(${list(args)})(${list(results)})`;
  });
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}

/** Where two types differ, as paths; `ours` may have the fields named in `allowed` that `theirs` has not. */
function typeDifferences(
  path: string,
  ours: IDL.Type,
  theirs: IDL.Type,
  allowed: readonly string[],
): string[] {
  const left = unwrap(ours);
  const right = unwrap(theirs);
  if (left.constructor !== right.constructor) return [`${path}: we have ${left.name}, not ${right.name}`];
  if (left instanceof IDL.OptClass || left instanceof IDL.VecClass) {
    return typeDifferences(path, innerOf(left), innerOf(right), allowed);
  }
  if (left instanceof IDL.FuncClass && right instanceof IDL.FuncClass) {
    return [
      ...listDifferences(`${path} argument`, left.argTypes, right.argTypes, allowed),
      ...listDifferences(`${path} result`, left.retTypes, right.retTypes, allowed),
    ];
  }
  if (!(left instanceof IDL.RecordClass || left instanceof IDL.VariantClass)) {
    return left.name === right.name ? [] : [`${path}: we have ${left.name}, not ${right.name}`];
  }
  const mine = new Map(fieldsOf(left));
  const wanted = new Map(fieldsOf(right));
  const extra = [...mine.keys()].filter((name) => !wanted.has(name) && !allowed.includes(name));
  return [
    ...extra.map((name) => `${path}.${name}: only we have it`),
    ...[...wanted].flatMap(([name, type]) => {
      const own = mine.get(name);
      return own ? typeDifferences(`${path}.${name}`, own, type, allowed) : [`${path}.${name}: we lack it`];
    }),
  ];
}

function listDifferences(
  path: string,
  ours: readonly IDL.Type[],
  theirs: readonly IDL.Type[],
  allowed: readonly string[],
): string[] {
  if (ours.length !== theirs.length) return [`${path}s: we have ${ours.length}, not ${theirs.length}`];
  return ours.flatMap((type, index) => {
    const other = theirs[index];
    return other ? typeDifferences(path, type, other, allowed) : [];
  });
}

/** What our table has otherwise than `theirs`, method by method. */
export function interfaceDifferences(
  theirs: readonly Method[],
  ours: readonly Method[] = tableMethods(),
): string[] {
  const mine = new Map(ours.map((method) => [method.name, method]));
  const stated = new Set(theirs.map(({ name }) => name));
  return [
    ...ours.flatMap(({ name }) => (stated.has(name) ? [] : [`${name}: only we have it`])),
    ...theirs.flatMap(({ name, isQuery, args, results }) => {
      const own = mine.get(name);
      if (!own) return [`${name}: we lack it`];
      const allowed = EXTENSIONS[name] ?? [];
      return [
        ...(own.isQuery === isQuery ? [] : [`${name}: we have ${own.isQuery ? 'a query' : 'no query'}`]),
        ...listDifferences(`${name} argument`, own.args, args, allowed),
        ...listDifferences(`${name} result`, own.results, results, allowed),
      ];
    }),
  ];
}
