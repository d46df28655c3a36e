import * as client from 'openid-client';
import type { IdentityConfig } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { subjectOf } from './names.ts';
import { EMBEDDED_CLIENT_ID, PROVIDER_PATH } from './embedded-provider.ts';

/** What a finished sign-in says about a person. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | undefined;
  readonly username: string | undefined;
  readonly email: string | undefined;
  readonly picture: string | undefined;
}

/** The secrets of one sign-in attempt; the server keeps them until the browser comes back. */
interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Our side of the OpenID Connect code flow, the same for every issuer. */
export interface OidcClient {
  /** Begins a sign-in: the issuer's address to send the browser to, and what must be kept for the way back. */
  begin(): Promise<{ url: string; attempt: SignInAttempt }>;
  /**
   * Ends a sign-in with the query string the browser brought back.
   * @throws AppError sign_in_failed with a plain sentence
   */
  finish(query: string, attempt: SignInAttempt): Promise<Identity>;
}

export const CALLBACK_PATH = '/api/auth/google/callback';

/**
 * @param options.publicUrl the console's origin as browsers see it
 * @param options.localUrl the address this server reaches itself by, for the embedded provider
 */
export function createOidcClient(options: {
  identity: IdentityConfig;
  publicUrl: string;
  localUrl: string;
  /** What the client shares with the embedded provider; undefined for another one. */
  embedded: { readonly clientSecret: string; readonly signedBy: string } | undefined;
}): OidcClient {
  const { identity, publicUrl } = options;
  const redirectUri = `${publicUrl}${CALLBACK_PATH}`;
  let discovered: Promise<client.Configuration> | undefined;
  const configuration = (): Promise<client.Configuration> => {
    discovered ??= discover(options).catch((error: unknown) => {
      discovered = undefined;
      throw new AppError('sign_in_failed', 'The sign-in service cannot be reached. Try again in a moment.', {
        cause: error,
      });
    });
    return discovered;
  };
  return {
    async begin() {
      const config = await configuration();
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: identity.embedded ? 'openid profile' : 'openid profile email',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
        // Whoever signed out can choose another name.
        prompt: identity.embedded ? 'login' : 'select_account',
      });
      return { url: url.href, attempt };
    },
    async finish(query, attempt) {
      const config = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('The issuer sent no ID token.');
        const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        return {
          // The embedded issuer's address changes with the port; the people it vouches for do not.
          issuer: identity.embedded ? 'embedded' : claims.iss,
          subject: identity.embedded ? subjectOf(claims.sub) : claims.sub,
          name: info.name,
          username: info.preferred_username,
          email: info.email_verified === false ? undefined : info.email,
          picture: info.picture,
        };
      } catch (error) {
        throw new AppError('sign_in_failed', reasonOf(error), { cause: error });
      }
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
    return 'The sign-in was cancelled.';
  }
  return 'The sign-in could not be confirmed. Please try again.';
}

async function discover(options: Parameters<typeof createOidcClient>[0]): Promise<client.Configuration> {
  const { identity, publicUrl, localUrl } = options;
  if (!identity.embedded) {
    const insecure = identity.issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    return client.discovery(
      new URL(identity.issuer),
      identity.clientId,
      undefined,
      client.ClientSecretBasic(identity.clientSecret),
      { execute: [...insecure, client.enableNonRepudiationChecks] },
    );
  }
  // The browser's address of the embedded provider may not resolve on this machine; the local one always does.
  const fetchLocally: client.CustomFetch = (url, init) =>
    fetch(url.startsWith(publicUrl) ? localUrl + url.slice(publicUrl.length) : url, init as RequestInit);
  return client.discovery(
    new URL(`${publicUrl}${PROVIDER_PATH}`),
    EMBEDDED_CLIENT_ID,
    options.embedded && { id_token_signed_response_alg: options.embedded.signedBy },
    client.ClientSecretBasic(options.embedded?.clientSecret),
    {
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      [client.customFetch]: fetchLocally,
    },
  );
}
