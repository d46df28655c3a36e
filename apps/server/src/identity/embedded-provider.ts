import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Adapter, AdapterPayload, JWK } from 'oidc-provider';
import { type EmbeddedKeys, type OidcRecordStore, signedBy } from './embedded-state.ts';
import { html } from './html.ts';
import { loadOidcProvider } from './load-oidc-provider.ts';
import { accountOf, nameOf } from './names.ts';

/** Path of the provider below the console's origin. */
export const PROVIDER_PATH = '/oidc';
/** Path of the page where a person types a name. */
export const SIGN_IN_PATH = '/sign-in';
export const EMBEDDED_CLIENT_ID = 'cannery-console';

/** Seconds a person may take on the provider's page, and what of it is kept afterwards. */
const ATTEMPT = 15 * 60;

/** The OpenID provider that ships with the product. It asks for a name and no password, so it serves loopback only. */
export interface EmbeddedProvider {
  /** Handles every call below PROVIDER_PATH (with that prefix cut off). */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether a sign-in with this id waits for the browser that asks. */
  isWaiting(request: IncomingMessage, response: ServerResponse, uid: string): Promise<boolean>;
  /** Ends the waiting sign-in: with the name of a person, or refused. Answers the address to go on to. */
  finish(request: IncomingMessage, response: ServerResponse, name: string | undefined): Promise<string>;
}

/** @param options.publicUrl the console's origin @param options.redirectUris where the console's client takes codes */
export async function createEmbeddedProvider(options: {
  publicUrl: string;
  redirectUris: readonly string[];
  keys: EmbeddedKeys;
  records: OidcRecordStore;
  onError: (error: Error) => void;
}): Promise<EmbeddedProvider> {
  const { publicUrl, keys, records } = options;
  const { Provider, interactionPolicy } = await loadOidcProvider();
  const policy = interactionPolicy.base();
  // The console is the provider's only client and its own: nobody has to agree to it.
  policy.remove('consent');
  const provider = new Provider(`${publicUrl}${PROVIDER_PATH}`, {
    adapter: (kind: string) => adapterOf(kind, records),
    jwks: { keys: [keys.jwk as unknown as JWK] },
    cookies: {
      keys: [keys.cookieKey],
      long: { httpOnly: true, sameSite: 'lax', path: PROVIDER_PATH },
      // The provider names the one path of each sign-in itself.
      short: { httpOnly: true, sameSite: 'lax' },
    },
    clients: [
      {
        client_id: EMBEDDED_CLIENT_ID,
        client_secret: keys.clientSecret,
        redirect_uris: [...options.redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        // A native client's redirect address would be good on every port of loopback.
        application_type: 'web',
        token_endpoint_auth_method: 'client_secret_basic',
        id_token_signed_response_alg: signedBy(keys),
      },
    ],
    enabledJWA: { idTokenSigningAlgValues: ['ES256', 'RS256'] },
    pkce: { required: () => true },
    scopes: ['openid', 'profile'],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
    },
    ttl: {
      Interaction: ATTEMPT,
      Session: ATTEMPT,
      Grant: ATTEMPT,
      IdToken: ATTEMPT,
      AccessToken: ATTEMPT,
      AuthorizationCode: 60,
    },
    interactions: {
      policy,
      url: (_ctx, interaction) => `${SIGN_IN_PATH}/${interaction.uid}`,
    },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: async () => ({
        sub: accountId,
        name: nameOf(accountId),
        preferred_username: nameOf(accountId),
      }),
    }),
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = html`<!doctype html>
<html lang="en"><title>Sign-in failed</title>
<p>The sign-in cannot go on: ${out.error_description ?? out.error}.</p>
<p><a href="/login">Back to the sign-in page</a></p></html>`.text;
    },
  });
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => options.onError(error));
  const asPublic = addressedTo(new URL(publicUrl));
  const handle = provider.callback();
  return {
    handle: (request, response) => void handle(asPublic(request), response),
    isWaiting: async (request, response, uid) => {
      try {
        return (await provider.interactionDetails(asPublic(request), response)).uid === uid;
      } catch {
        return false;
      }
    },
    finish: (request, response, name) =>
      provider.interactionResult(
        asPublic(request),
        response,
        name === undefined
          ? { error: 'access_denied', error_description: 'The sign-in was cancelled' }
          : { login: { accountId: accountOf(name), remember: false } },
        { mergeWithLastSubmission: false },
      ),
  };
}

/** The provider's cookie for whoever has signed in before, and its signature. */
const SESSION_COOKIES = /(?:^|;)\s*_session(?:\.[\w.]+)?=[^;]*/g;

/**
 * The provider builds its addresses from the request; ours may come from a proxy, or from this server itself. Its
 * session cookie is cut off: it reaches every port of the host, and nobody is signed in by having been so before.
 */
function addressedTo(publicUrl: URL): (request: IncomingMessage) => IncomingMessage {
  return (request) => {
    request.headers.cookie = request.headers.cookie?.replace(SESSION_COOKIES, '').replace(/^;\s*/, '');
    request.headers.host = publicUrl.host;
    request.headers['x-forwarded-host'] = publicUrl.host;
    request.headers['x-forwarded-proto'] = publicUrl.protocol.slice(0, -1);
    return request;
  };
}

function adapterOf(kind: string, records: OidcRecordStore): Adapter {
  const find = async (id: string): Promise<AdapterPayload | undefined> => records.find(kind, id);
  return {
    upsert: (id, payload, expiresIn) =>
      records.put(kind, id, {
        payload,
        grantId: payload.grantId,
        uid: payload.uid,
        expiresAt: expiresIn ? new Date(Date.now() + expiresIn * 1000) : undefined,
      }),
    find,
    findByUid: async (uid) => records.findByUid(kind, uid),
    // User codes belong to the device flow, which is off.
    findByUserCode: async () => undefined,
    consume: (id) => records.consume(kind, id, Math.floor(Date.now() / 1000)),
    destroy: (id) => records.remove(kind, id),
    revokeByGrantId: (grantId) => records.removeGrant(grantId),
  };
}
