import type { Holdings } from './filled-calls.ts';
import { pushTo } from '../webhooks/hook-deliveries.ts';
import type { ApiClient } from '../support/client.ts';
import { LFS_JSON, lfsFile } from '../support/lfs-client.ts';
import type { Stranger } from './strangers.ts';
import type { WireCall } from '../support/wire.ts';

/** A sign-in under way: its id at the identity provider and the state that it will come back with. */
export interface SignInUnderWay {
  readonly uid: string;
  readonly state: string;
}

type CallsFor = (named: Holdings & { signIn: SignInUnderWay }) => readonly WireCall[];

/** Every method that may reach a handler by GET. */
const get = (...paths: string[]): WireCall[] =>
  paths.flatMap((path) => [
    { method: 'GET', path },
    { method: 'HEAD', path },
  ]);

/** As a browser opens an address. */
const open = (path: string): WireCall => ({ method: 'GET', path, headers: { accept: 'text/html' } });

const pack = (path: string): WireCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': `application/x-${path.slice(path.lastIndexOf('/') + 1)}-request` },
  body: '0000',
});

/** A file of Git LFS that every resident's repository has. */
export const KEPT_FILE = lfsFile(Buffer.from('Kept by Git LFS'));

const NAMED = { oid: KEPT_FILE.oid, size: KEPT_FILE.size };

const fileOf = (owner: string, repository: string): string =>
  `/${owner}/${repository}.git/info/lfs/objects/${KEPT_FILE.oid}/${KEPT_FILE.size}`;

const lfs = (path: string, body: object): WireCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': LFS_JSON },
  body: JSON.stringify(body),
});

/** The identity provider, which is no route of the router. */
export const MIDDLEWARE = 'all of /oidc';

/** All routes but those of the contract, with calls that name what is given. */
export const otherRoutes: Readonly<Record<string, CallsFor>> = {
  'GET /api/openapi.json': () => get('/api/openapi.json'),
  // Pictures are open to whoever knows the user's id; nothing of the matrix has one.
  'GET /api/avatars/:id': () => get('/api/avatars/00000000-0000-4000-8000-000000000000'),
  // A picture is open to whoever knows the canister, as the website itself is; nothing of the matrix has one.
  'GET /api/site-pictures/:canisterId': ({ canister }) => get(`/api/site-pictures/${canister}`),
  // The same, and nobody guesses the address.
  'GET /api/canister-pictures/:canisterId/:digest': ({ canister }) =>
    get(`/api/canister-pictures/${canister}/${'0'.repeat(64)}`),
  'GET /api/dapp-pictures/:dappId/:digest': ({ dapp }) => get(`/api/dapp-pictures/${dapp}/${'0'.repeat(64)}`),
  // Without its secret a webhook is as good as absent.
  'POST /api/hooks/deploy/:id': ({ hook, outside, deploy }) =>
    [hook, outside, deploy].map((id) =>
      pushTo({ address: `http://x/api/hooks/deploy/${id}`, secret: 'x' }, 'GitLab'),
    ),
  'GET /api-docs': () => get('/api-docs'),
  'GET /api-docs/*': () => get('/api-docs/no-such-file'),
  'GET /': () => get('/'),
  'GET /candid/': ({ canister }) => get(`/candid/?id=${canister}`),
  'GET /*': ({ owner, repository }) => [
    open(`/${owner}`),
    open(`/${owner}/${repository}`),
    open(`/${owner}/${repository}.git`),
    open(`/${owner}/${repository}/tree/main`),
    open(`//${owner}/${repository}`),
    open(`/${owner.toUpperCase()}/${repository}`),
    open('/git/connect'),
    ...get(`/${owner}/${repository}.git/HEAD`, `/${owner}/${repository}.git/objects/info/packs`),
  ],
  'GET /:owner/:repo/info/refs': ({ owner, repository }) =>
    ['git-upload-pack', 'git-receive-pack', 'git-upload-archive', ''].flatMap((service) =>
      get(
        `/${owner}/${repository}.git/info/refs?service=${service}`,
        `/${owner}/${repository}/info/refs?service=${service}`,
      ),
    ),
  'POST /:owner/:repo/git-upload-pack': ({ owner, repository }) => [
    pack(`/${owner}/${repository}.git/git-upload-pack`),
  ],
  'POST /:owner/:repo/git-receive-pack': ({ owner, repository }) => [
    pack(`/${owner}/${repository}.git/git-receive-pack`),
  ],
  'POST /:owner/:repo/info/lfs/objects/batch': ({ owner, repository }) =>
    ['upload', 'download'].map((operation) =>
      lfs(`/${owner}/${repository}.git/info/lfs/objects/batch`, { operation, objects: [NAMED] }),
    ),
  'POST /:owner/:repo/info/lfs/verify': ({ owner, repository }) => [
    lfs(`/${owner}/${repository}.git/info/lfs/verify`, NAMED),
  ],
  'GET /:owner/:repo/info/lfs/objects/:oid/:size': ({ owner, repository }) => [
    { method: 'GET', path: fileOf(owner, repository) },
    { method: 'GET', path: fileOf(owner, repository), headers: { range: 'bytes=1-' } },
  ],
  'PUT /:owner/:repo/info/lfs/objects/:oid/:size': ({ owner, repository }) => [
    { method: 'PUT', path: fileOf(owner, repository), body: KEPT_FILE.bytes.toString() },
  ],
  'GET /:owner/:repo/info/lfs/locks': ({ owner, repository }) => [
    { method: 'GET', path: `/${owner}/${repository}.git/info/lfs/locks` },
  ],
  'POST /:owner/:repo/info/lfs/locks': ({ owner, repository }) => [
    lfs(`/${owner}/${repository}.git/info/lfs/locks`, { path: 'a' }),
  ],
  'GET /:owner/:repo/info/lfs/locks/*': ({ owner, repository }) => [
    { method: 'GET', path: `/${owner}/${repository}.git/info/lfs/locks/verify` },
  ],
  'POST /:owner/:repo/info/lfs/locks/*': ({ owner, repository }) => [
    lfs(`/${owner}/${repository}.git/info/lfs/locks/verify`, {}),
  ],
  // Both begin a sign-in of the caller.
  'GET /api/auth/google': () => [{ method: 'GET', path: '/api/auth/google/' }],
  'GET /auth/google': () => [{ method: 'GET', path: '/auth/google/' }],
  'GET /api/auth/google/callback': ({ signIn }) =>
    get(`/api/auth/google/callback?code=a&state=${signIn.state}`),
  'GET /sign-in/:uid': ({ signIn }) => get(`/sign-in/${signIn.uid}`),
  'POST /sign-in/:uid': ({ signIn }) => [
    {
      method: 'POST',
      path: `/sign-in/${signIn.uid}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'login=ada',
    },
  ],
  'POST /sign-in/:uid/cancel': ({ signIn }) => [{ method: 'POST', path: `/sign-in/${signIn.uid}/cancel` }],
  [MIDDLEWARE]: ({ signIn }) => [
    ...get('/oidc/.well-known/openid-configuration', '/oidc/jwks', '/oidc/me', '/oidc/session/end'),
    ...get(`/oidc/auth/${signIn.uid}`),
    {
      method: 'POST',
      path: '/oidc/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=authorization_code&code=${signIn.uid}`,
    },
  ],
};

/** A signed-in user as she comes to what is no call of the contract: a browser's cookie, git's password. */
export function visitorsLike({ client, gitToken }: { client: ApiClient; gitToken: string }): Stranger[] {
  const password = (secret: string): string => `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`;
  return [
    { name: 'her cookie', headers: { cookie: `token=${client.token}` } },
    { name: 'her bearer token', headers: { authorization: `Bearer ${client.token}` } },
    { name: 'her access token', headers: { authorization: password(gitToken) } },
    { name: 'her session as password', headers: { authorization: password(client.token) } },
  ];
}
