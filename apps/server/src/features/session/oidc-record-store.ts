import { sql } from 'kysely';
import type { Db, Tx } from '../../db/tx.ts';
import type { OidcRecordStore } from '../../identity/oidc-records.ts';

type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

const NUL = '\0';

/** The database takes no NUL, and a stranger's question may have it in each of its fields. */
function textOf(payload: object): string {
  return JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(NUL, '') : value,
  );
}

/** The embedded provider's memory in the database, so that a restart forgets no sign-in under way. */
export function oidcRecordStore(db: Db, transact: Transact): OidcRecordStore {
  const valid = (kind: string) =>
    db
      .selectFrom('oidc_records')
      .select('payload')
      .where('kind', '=', kind)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date())]));
  const found = async (kind: string, column: 'id' | 'uid', value: string) =>
    value.includes(NUL)
      ? undefined
      : (await valid(kind).where(column, '=', value).executeTakeFirst())?.payload;
  return {
    async put(kind, id, { payload, grantId, uid, expiresAt }) {
      const values = {
        payload: textOf(payload),
        grant_id: grantId ?? null,
        uid: uid ?? null,
        expires_at: expiresAt ?? null,
      };
      await transact((tx) =>
        tx
          .insertInto('oidc_records')
          .values({ kind, id, ...values })
          .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(values))
          .execute(),
      );
    },
    find: (kind, id) => found(kind, 'id', id),
    findByUid: (kind, uid) => found(kind, 'uid', uid),
    async consume(kind, id, at) {
      await transact((tx) =>
        tx
          .updateTable('oidc_records')
          .set({ payload: sql<string>`payload || jsonb_build_object('consumed', ${at}::bigint)` })
          .where('kind', '=', kind)
          .where('id', '=', id)
          .execute(),
      );
    },
    async remove(kind, id) {
      await transact((tx) =>
        tx.deleteFrom('oidc_records').where('kind', '=', kind).where('id', '=', id).execute(),
      );
    },
    async removeGrant(grantId) {
      await transact((tx) => tx.deleteFrom('oidc_records').where('grant_id', '=', grantId).execute());
    },
  };
}
