import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type GitServer, startGitServer } from '../git-server.ts';
import { describedEvent, eventFaults, knownCall } from './description.ts';
import { type Came, pretendCalls } from './pretend-calls.ts';
import { PretendWorld } from './pretend-world.ts';

/** A request to the API of the pretend GitHub. */
interface PretendRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: unknown;
}

/**
 * A pretend GitHub on loopback. GitHub's own description decides what it takes and answers: whatever breaks it, in either
 * direction, is among the faults. It serves git by the tokens that it gave out.
 */
export interface PretendGitHub {
  readonly world: PretendWorld;
  readonly git: GitServer;
  readonly url: string;
  /** Settings of a server that has an app here. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly PretendRequest[];
  /** The headers by which git has signed in, in order. */
  readonly gitAuthorizations: readonly string[];
  readonly faults: readonly string[];
  /** A person or its employer takes the app away, or GitHub is away: what answers every call while it is set. */
  outage: number | undefined;
  /** An event as GitHub sends it: its bytes and its headers. @param name such as 'push' or 'installation-deleted' */
  event(
    name: string,
    values: Readonly<Record<string, unknown>>,
    delivery?: string,
  ): { readonly body: string; readonly headers: Readonly<Record<string, string>> };
  close(): Promise<void>;
}

const APP_ID = '4711';
const CLIENT_ID = 'Iv1.pretend';
const CLIENT_SECRET = 'client-secret-of-the-pretend-app';
const WEBHOOK_SECRET = 'webhook-secret-of-the-pretend-app';
const SLUG = 'cannery-pretend';
const API = '/api/v3';
/** Longest life of what an app signs, in seconds. */
const SIGNED_S = 600;

function base64url(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: unknown, link?: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(link !== undefined && { link }),
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

/** Starts one. */
export async function startPretendGitHub(): Promise<PretendGitHub> {
  const world = new PretendWorld();
  const requests: PretendRequest[] = [];
  const gitAuthorizations: string[] = [];
  const faults: string[] = [];
  const state: { outage: number | undefined } = { outage: undefined };
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-pretend-github-'));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyFile = path.join(folder, 'app.pem');
  // As GitHub hands it out.
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  let deliveries = 0;

  function isSignedByApp(jwt: string): boolean {
    const [header = '', claims = '', signature = ''] = jwt.split('.');
    const signed = Buffer.from(`${header}.${claims}`);
    if (!verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'))) return false;
    const { iss, exp, iat } = JSON.parse(base64url(claims)) as { iss: unknown; exp: number; iat: number };
    const now = Date.now() / 1000;
    return String(iss) === APP_ID && exp > now && exp - iat <= SIGNED_S + 60;
  }

  function senderOf(authorization: string): Came['sender'] {
    const [scheme = '', credential = ''] = authorization.split(' ');
    if (scheme.toLowerCase() === 'basic') {
      const pair = Buffer.from(credential, 'base64').toString('utf8');
      return pair === `${CLIENT_ID}:${CLIENT_SECRET}` ? 'client' : undefined;
    }
    const live = ({ token, revoked, expiresAt }: (typeof world.tokens)[number]): boolean =>
      token === credential && !revoked && expiresAt > Date.now();
    if (credential.split('.').length === 3) return isSignedByApp(credential) ? 'app' : undefined;
    return world.tokens.find(live);
  }

  /** Answers a call of the API, a page of a list at a time. */
  function answerCall(request: PretendRequest, url: URL, response: ServerResponse): void {
    const pathname = url.pathname.slice(API.length);
    const known = knownCall(request.method, pathname);
    if (known === undefined) {
      faults.push(`${request.method} ${pathname} is no call that this product is known to make`);
      return send(response, 404, { message: 'Not Found' });
    }
    const name = `${request.method} ${known.path}`;
    const note = (found: readonly string[], what: string): void => {
      faults.push(...found.map((fault) => `${what} ${name}: ${fault}`));
    };
    note(known.faults(url.searchParams, request.body), 'request');
    const sender = senderOf(request.authorization);
    const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    if (world.refused.has(name))
      return send(response, 403, { message: 'Resource not accessible by integration' });
    const given = pretendCalls[name]?.({ world, parameters: known.parameters, body, sender });
    if (given === undefined) return send(response, 404, { message: 'Not Found' });
    const page = Number(url.searchParams.get('page') ?? 1);
    const perPage = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
    const cut = (list: readonly unknown[]): unknown[] => list.slice((page - 1) * perPage, page * perPage);
    const whole = given.body as Record<string, unknown[]> | unknown[] | undefined;
    const list = Array.isArray(whole) ? whole : (whole?.[given.paged ?? ''] ?? []);
    const shown = Array.isArray(whole)
      ? cut(whole)
      : given.paged === undefined
        ? whole
        : { ...whole, [given.paged]: cut(list) };
    const next = new URL(url);
    next.searchParams.set('page', String(page + 1));
    const link = list.length > page * perPage ? `<${next}>; rel="next"` : undefined;
    note(known.answerFaults(given.status, shown), 'answer');
    return send(response, given.status, shown, link);
  }

  /** The pages of GitHub end in the browser's way back; this exchanges the code that it brings. */
  function exchange(body: unknown, response: ServerResponse): void {
    const { client_id: id, client_secret: secret, code } = body as Record<string, string>;
    const person = id === CLIENT_ID && secret === CLIENT_SECRET ? world.codes.get(code ?? '') : undefined;
    // A code is good once.
    world.codes.delete(code ?? '');
    if (person === undefined) return send(response, 200, { error: 'bad_verification_code' });
    const { token } = world.issue({ kind: 'user', person });
    return send(response, 200, { access_token: token, token_type: 'bearer', scope: '' });
  }

  async function answer(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const came: PretendRequest = {
      method: request.method ?? '',
      path: url.pathname + url.search,
      authorization: request.headers.authorization ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
    requests.push(came);
    if (state.outage !== undefined) return send(response, state.outage, { message: 'Out of order' });
    if (url.pathname === '/login/oauth/access_token') return exchange(came.body, response);
    return answerCall(came, url, response);
  }

  const git = await startGitServer((request, response) => {
    const url = new URL(request.url ?? '', git.url);
    const [, owner, name] = /^\/([\w-]+)\/([\w.-]+)\.git\//.exec(url.pathname) ?? [];
    if (owner === undefined) {
      void answer(request, url, response);
      return true;
    }
    const authorization = request.headers.authorization ?? '';
    gitAuthorizations.push(authorization);
    const found = world.repositories.find((one) => one.owner.login === owner && one.name === name);
    const password = Buffer.from(authorization.slice('Basic '.length), 'base64').toString('utf8');
    const token = senderOf(`bearer ${password.slice(password.indexOf(':') + 1)}`);
    const mayRead =
      found !== undefined &&
      (!found.private || (typeof token === 'object' && world.reaches(token, found, 'contents')));
    if (mayRead) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
    return true;
  });

  return {
    world,
    git,
    url: git.url,
    requests,
    gitAuthorizations,
    faults,
    get outage() {
      return state.outage;
    },
    set outage(status) {
      state.outage = status;
    },
    env: {
      GITHUB_APP_ID: APP_ID,
      GITHUB_APP_SLUG: SLUG,
      GITHUB_CLIENT_ID: CLIENT_ID,
      GITHUB_CLIENT_SECRET: CLIENT_SECRET,
      GITHUB_PRIVATE_KEY_FILE: keyFile,
      GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
      GITHUB_URL: git.url,
      GIT_CA_FILE: git.caFile,
      EGRESS_PRIVATE_HOSTS: git.host,
    },
    event(name, values, delivery) {
      const event = describedEvent(name, values);
      faults.push(...eventFaults(name, event).map((fault) => `event ${name}: ${fault}`));
      const body = JSON.stringify(event);
      deliveries += 1;
      const signature = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex');
      const kind = name.replaceAll('-', '_').replace(/_(deleted|suspend|renamed|revoked)$/, '');
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'x-github-event': kind,
          'x-github-delivery': delivery ?? `00000000-0000-4000-8000-${String(deliveries).padStart(12, '0')}`,
          'x-hub-signature-256': `sha256=${signature}`,
        },
      };
    },
    async close() {
      await git.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
