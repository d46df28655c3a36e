import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely';
import type { Schema } from '../../db/tables/schema.ts';

type Where = ExpressionBuilder<Schema, 'documents'>;

/**
 * What keeps a document from being collected: conditions on a row of `documents`, one for each table that refers to documents.
 * A feature with such a table adds its line here, with an index that the condition can use, and writes its rows in
 * a transaction that has locked the document (`lockDocument`, or a foreign key to `documents`).
 */
const references: readonly ((where: Where) => ExpressionWrapper<Schema, 'documents', SqlBool>)[] = [
  // A version of a registry.
  ({ exists, selectFrom }) =>
    exists(
      selectFrom('registry_versions')
        .select(sql.lit(1).as('one'))
        .whereRef('registry_versions.user_id', '=', 'documents.user_id')
        .whereRef('registry_versions.identifier', '=', 'documents.identifier')
        .where('documents.kind', '=', 'wasm'),
    ),
  // A version of a dapp in the marketplace.
  ({ exists, selectFrom }) =>
    exists(
      selectFrom('dapp_versions')
        .innerJoin('dapps', 'dapps.id', 'dapp_versions.dapp_id')
        .select(sql.lit(1).as('one'))
        .whereRef('dapps.user_id', '=', 'documents.user_id')
        .whereRef('dapp_versions.identifier', '=', 'documents.identifier')
        .where('dapps.withdrawn_at', 'is', null)
        .where('documents.kind', '=', 'wasm'),
    ),
  // The icon of a dapp in the marketplace.
  ({ exists, selectFrom }) =>
    exists(
      selectFrom('dapps')
        .select(sql.lit(1).as('one'))
        .whereRef('dapps.user_id', '=', 'documents.user_id')
        .whereRef('dapps.icon', '=', 'documents.identifier')
        .where('dapps.withdrawn_at', 'is', null)
        .where('documents.kind', '=', 'icon'),
    ),
  // An installation under way.
  ({ exists, selectFrom }) =>
    exists(
      selectFrom('intents')
        .select(sql.lit(1).as('one'))
        .whereRef('intents.user_id', '=', 'documents.user_id')
        .where(sql`intents.change ->> 'moduleHash'`, '=', sql.ref('documents.identifier'))
        .where('documents.kind', '=', 'wasm'),
    ),
];

/** That nothing refers to a document. */
export function isUnused(where: Where): ExpressionWrapper<Schema, 'documents', SqlBool> {
  return where.not(where.or(references.map((reference) => reference(where))));
}
