// The identity provider of set-ups that are tried, which an operator has elsewhere: BASE, PORT, SECRET and REDIRECT (one or several, by
// commas). It asks for a name and for no password, and is for machines that nobody else reaches.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createEmbeddedProvider,
  PROVIDER_PATH,
  SIGN_IN_PATH,
} from '../../../src/identity/embedded-provider.ts';
import { makeEmbeddedKeys, type OidcRecordStore } from '../../../src/identity/embedded-state.ts';

const { BASE = '', PORT = '', SECRET = '', REDIRECT = '' } = process.env;
const provider = await createEmbeddedProvider({
  publicUrl: BASE,
  redirectUris: REDIRECT.split(','),
  keys: { ...(await makeEmbeddedKeys()), clientSecret: SECRET },
  records: memory(),
  onError: (error) => process.stderr.write(`${error.message}\n`),
});

function memory(): OidcRecordStore {
  type Kept = Parameters<OidcRecordStore['put']>[2] & { kind: string };
  const kept = new Map<string, Kept>();
  const at = (kind: string, id: string): string => `${kind}/${id}`;
  return {
    put: async (kind, id, record) => void kept.set(at(kind, id), { ...record, kind }),
    find: async (kind, id) => kept.get(at(kind, id))?.payload,
    findByUid: async (kind, uid) =>
      [...kept.values()].find((each) => each.kind === kind && each.uid === uid)?.payload,
    consume: async (kind, id, consumed) =>
      void Object.assign(kept.get(at(kind, id))?.payload ?? {}, { consumed }),
    remove: async (kind, id) => void kept.delete(at(kind, id)),
    removeGrant: async (grantId) => {
      for (const [key, each] of kept) if (each.grantId === grantId) kept.delete(key);
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // It has no accounts to select from.
  const url = (request.url ?? '/').replace('prompt=select_account', 'prompt=login');
  if (url.startsWith(PROVIDER_PATH)) {
    provider.handle(
      Object.assign(request, { originalUrl: url, url: url.slice(PROVIDER_PATH.length) }),
      response,
    );
    return;
  }
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<form method="post" action="${url.split('?')[0]}"><input name="login"></form>`);
    return;
  }
  let body = '';
  for await (const piece of request) body += String(piece);
  const name = new URLSearchParams(body).get('login') ?? undefined;
  response.writeHead(303, { location: await provider.finish(request, response, name) }).end();
}

createServer((request, response) => {
  if (!request.url?.startsWith(PROVIDER_PATH) && !request.url?.startsWith(SIGN_IN_PATH)) {
    response.writeHead(404).end();
    return;
  }
  answer(request, response).catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    response.destroy();
  });
}).listen(Number(PORT), () => process.stdout.write('ready\n'));
