import type { IDL } from '@icp-sdk/core/candid';

/** Fields as the author wrote them, and by their keys. Kept at the type itself: a weak map of very many slows every collection. */
const FIELDS = Symbol('fields in their order');

interface Fields {
  readonly inOrder: [string, IDL.Type][];
  readonly byKey: ReadonlyMap<string, IDL.Type>;
}

type Fielded = (IDL.RecordClass | IDL.VariantClass) & { [FIELDS]?: Fields };

/** Remembers in which order the author wrote the fields; the IDL library sorts them by id. */
export function withFieldOrder<T extends IDL.RecordClass | IDL.VariantClass>(
  type: T,
  fields: [string, IDL.Type][],
): T {
  keep(type, fields);
  return type;
}

/** The fields of a record or variant in the order the author wrote them, else in the order of their ids. */
export function fieldsOf(type: IDL.RecordClass | IDL.VariantClass): [string, IDL.Type][] {
  return fieldsAt(type).inOrder;
}

/** The key and type of the choice that a variant's value is, found in one step; undefined for none. */
export function chosenOf(type: IDL.VariantClass, value: object): [string, IDL.Type] | undefined {
  const [key] = Object.keys(value);
  const part = key === undefined ? undefined : fieldsAt(type).byKey.get(key);
  return key === undefined || part === undefined ? undefined : [key, part];
}

function fieldsAt(type: Fielded): Fields {
  return type[FIELDS] ?? keep(type, type._fields);
}

function keep(type: Fielded, inOrder: [string, IDL.Type][]): Fields {
  let byKey: Map<string, IDL.Type> | undefined;
  const fields: Fields = {
    inOrder,
    get byKey() {
      return (byKey ??= new Map(inOrder));
    },
  };
  Object.defineProperty(type, FIELDS, { value: fields });
  return fields;
}
