import type { AppContext } from '../../context.ts';
import { embeddedKeys, makeEmbeddedKeys } from '../../identity/embedded-keys.ts';
import { createEmbeddedProvider, type EmbeddedProvider } from '../../identity/embedded-provider.ts';
import { CALLBACK_PATH, createOidcClient, type OidcClient } from '../../identity/oidc-client.ts';
import { oidcRecordStore } from './oidc-record-store.ts';
import { keyOnce } from './server-keys.ts';

/** The console's client of the identity provider, and the provider itself when it is the embedded one. */
export async function createSignIn(
  ctx: AppContext,
  options: { localUrl: string },
): Promise<{ client: OidcClient; provider: EmbeddedProvider | undefined }> {
  const { identity } = ctx.config;
  const { publicUrl } = ctx.addresses;
  if (!identity.embedded) {
    const client = createOidcClient({ identity, publicUrl, ...options, embeddedSecret: undefined });
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
    client: createOidcClient({ identity, publicUrl, ...options, embeddedSecret: keys.clientSecret }),
    provider,
  };
}
