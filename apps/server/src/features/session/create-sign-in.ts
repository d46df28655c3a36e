import { sql } from 'kysely';
import type { z } from 'zod';
import type { AppContext } from '../../context.ts';
import type { Db, Tx } from '../../db/tx.ts';
import {
  embeddedKeys,
  makeEmbeddedKeys,
  type OidcRecordStore,
  signedBy,
} from '../../identity/embedded-state.ts';
import { createEmbeddedProvider, type EmbeddedProvider } from '../../identity/embedded-provider.ts';
import { CALLBACK_PATH, createOidcClient, type OidcClient } from '../../identity/oidc-client.ts';

/** A key the server made for itself: read, or made and kept on first use. Several processes get the same one. */
async function keyOnce<T extends z.ZodType>(
  tx: Tx,
  name: string,
  schema: T,
  make: () => Promise<z.output<T>>,
): Promise<z.output<T>> {
  const read = () => tx.selectFrom('server_keys').select('value').where('name', '=', name).executeTakeFirst();
  const known = await read();
  if (known !== undefined) return schema.parse(known.value);
  await tx
    .insertInto('server_keys')
    .values({ name, value: JSON.stringify(await make()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return schema.parse((await read())?.value);
}

type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

const NUL = '\0';

/** The database takes no NUL, and a stranger's question may have it in each of its fields. */
function textOf(payload: object): string {
  return JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(NUL, '') : value,
  );
}

/** The embedded provider's memory in the database, so that a restart forgets no sign-in under way. */
function oidcRecordStore(db: Db, transact: Transact): OidcRecordStore {
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

/** The console's client of the identity provider, and the provider itself when it is the embedded one. */
export async function createSignIn(
  ctx: AppContext,
  options: { localUrl: string },
): Promise<{ client: OidcClient; provider: EmbeddedProvider | undefined }> {
  const { identity } = ctx.config;
  const { publicUrl } = ctx.addresses;
  if (!identity.embedded) {
    const client = createOidcClient({ identity, publicUrl, ...options, embedded: undefined });
    return { client, provider: undefined };
  }
  const keys = await ctx.transact((tx) => keyOnce(tx, 'embedded-provider', embeddedKeys, makeEmbeddedKeys));
  const provider = await createEmbeddedProvider({
    publicUrl,
    redirectUris: [`${publicUrl}${CALLBACK_PATH}`],
    keys,
    records: oidcRecordStore(ctx.db, ctx.transact),
    onError: (error) => ctx.log.error({ err: error }, 'The embedded sign-in failed'),
  });
  return {
    client: createOidcClient({
      identity,
      publicUrl,
      ...options,
      embedded: { clientSecret: keys.clientSecret, signedBy: signedBy(keys) },
    }),
    provider,
  };
}
