import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOidcClient } from './oidc-client.ts';

const CLIENT = 'console';
const PUBLIC_URL = 'http://localhost:4000';
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

let server: Server;
let issuer: string;
/** What the issuer says of the person, and who signs it. */
let claims: Record<string, unknown>;
let header: Record<string, unknown>;
let signer: KeyObject | undefined;
/** The issuer in its own metadata. */
let called: string | undefined;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function idToken(): string {
  const text = `${part(header)}.${part(claims)}`;
  const signature =
    signer === undefined ? '' : createSign('sha256').update(text).sign(signer).toString('base64url');
  return `${text}.${signature}`;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer: called ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/token': () => ({ access_token: 'access', token_type: 'Bearer', id_token: idToken() }),
      '/jwks': () => ({
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
      }),
      '/userinfo': () => ({ sub: claims['sub'], name: 'Ada' }),
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? '']?.() ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

beforeEach(() => {
  const now = Math.floor(Date.now() / 1000);
  claims = { iss: issuer, sub: 'person', aud: CLIENT, iat: now, exp: now + 60 };
  header = { alg: 'RS256', kid: 'own', typ: 'JWT' };
  signer = own.privateKey;
  called = undefined;
});

/** A whole sign-in, with what the issuer says just now. */
async function signIn(): Promise<unknown> {
  const client = createOidcClient({
    identity: {
      embedded: false,
      issuer,
      clientId: CLIENT,
      clientSecret: 'secret',
    },
    publicUrl: PUBLIC_URL,
    localUrl: PUBLIC_URL,
    embedded: undefined,
  });
  const { attempt } = await client.begin();
  claims = { nonce: attempt.nonce, ...claims };
  return client.finish(`code=once&state=${attempt.state}`, attempt);
}

test('a person is who the issuer has signed for', async () => {
  await expect(signIn()).resolves.toMatchObject({ issuer, subject: 'person', name: 'Ada' });
});

const lies: Readonly<Record<string, () => void>> = {
  'signed by another key': () => {
    signer = foreign.privateKey;
  },
  'signed by nobody': () => {
    signer = undefined;
  },
  'whose algorithm is none': () => {
    header = { alg: 'none' };
    signer = undefined;
  },
  'whose algorithm is not the one that was agreed on': () => {
    header = { alg: 'HS256', kid: 'own' };
  },
  'that brings its key along': () => {
    header = { alg: 'RS256', jwk: foreign.publicKey.export({ format: 'jwk' }) };
    signer = foreign.privateKey;
  },
  'that is for another client': () => {
    claims = { ...claims, aud: 'another' };
  },
  'of another issuer': () => {
    claims = { ...claims, iss: 'https://issuer.example' };
  },
  'that is over': () => {
    claims = { ...claims, exp: 1 };
  },
  'of another sign-in': () => {
    claims = { ...claims, nonce: 'of-another' };
  },
};

test.each(Object.entries(lies))('a token %s signs nobody in', async (_what, lie) => {
  lie();
  await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed' });
});

test('an issuer that calls itself another one is not asked', async () => {
  called = 'https://issuer.example';
  await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed' });
});
