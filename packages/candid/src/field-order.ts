import type { IDL } from '@icp-sdk/core/candid';

const orders = new WeakMap<IDL.Type, readonly string[]>();

/** Remembers in which order the author wrote the fields; the IDL library sorts them by id. */
export function withFieldOrder<T extends IDL.RecordClass | IDL.VariantClass>(
  type: T,
  keys: readonly string[],
): T {
  orders.set(type, keys);
  return type;
}

/** The fields of a record or variant in the order the author wrote them, else in the order of their ids. */
export function fieldsOf(type: IDL.RecordClass | IDL.VariantClass): [string, IDL.Type][] {
  const keys = orders.get(type);
  if (!keys) return type._fields;
  const byKey = new Map(type._fields);
  return keys.flatMap((key): [string, IDL.Type][] => {
    const field = byKey.get(key);
    return field ? [[key, field]] : [];
  });
}
