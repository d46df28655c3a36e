import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sealingPlace } from '../../src/features/deploy-hook/hook-place.ts';
import { expectDelivery } from '../../src/features/deploy-hook/receive-delivery.ts';
import { createLogger } from '../../src/log/logger.ts';
import { sealingOf } from '../../src/sealing.ts';
import { deliveryOf, type HookUnderTest, hookHosts, pushBody, pushTo } from './hook-deliveries.ts';
import { type HookWorld, openHookWorld } from './hook-world.ts';
import type { WireAnswer, WireCall } from '../support/wire.ts';

const BODY = pushBody('GitHub', { ref: 'refs/heads/main' });

let world: HookWorld;
beforeAll(async () => {
  world = await openHookWorld();
});
afterAll(() => world?.close());

test('the database has the secret sealed, and address and answers do not name the deploy', async () => {
  const hook = await world.hooked();
  expect(hook.address).toMatch(/\/api\/hooks\/deploy\/[0-9a-f-]{36}$/);
  expect(hook.address).not.toContain(hook.deploy);
  const answer = await world.wire.send(pushTo(hook, 'GitHub'));
  expect(answer.status).toBe(200);
  const [run = ''] = await world.runsOf(hook);
  for (const text of [hook.deploy, run, hook.secret]) {
    expect(answer.headers.join('\n') + answer.text).not.toContain(text);
  }
  const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from deploy_hooks t`.execute(
    world.db,
  );
  const kept = rows.map(({ row }) => row).join('\n');
  expect(kept).toContain(hook.deploy);
  expect(kept).not.toContain(hook.secret);
  expect(kept).not.toContain(Buffer.from(hook.secret).toString('hex'));
  const shown = await world.ada.get(`/deploy/${hook.deploy}/hook`);
  expect(JSON.stringify(shown.body)).not.toContain(hook.secret);
});

describe('without the secret an address answers like one that does not exist, to the byte', () => {
  const hexOf = (secret: string, body = BODY, by = 'sha256'): string =>
    createHmac(by, secret).update(body).digest('hex');
  const github = (signature: string): Record<string, string> => ({
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-hub-signature-256': signature,
  });
  const forge = (signature: string): Record<string, string> => ({
    'content-type': 'application/json',
    'x-gitea-event': 'push',
    'x-gitea-signature': signature,
  });
  const token = (text: string): Record<string, string> => ({
    'x-gitlab-event': 'Push Hook',
    'x-gitlab-token': text,
  });
  const flip = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
  /** Headers by a secret that is right, each made wrong in one way. */
  const attempts: Readonly<Record<string, (secret: string) => Record<string, string>>> = {
    nothing: () => ({ 'content-type': 'application/json' }),
    'an event alone': () => ({ 'x-github-event': 'push', 'x-gitlab-event': 'Push Hook' }),
    'a signature with one digit changed': (secret) => github(`sha256=${flip(hexOf(secret))}`),
    'a signature cut short': (secret) => github(`sha256=${hexOf(secret).slice(0, 62)}`),
    'half of a signature': (secret) => forge(hexOf(secret).slice(0, 32)),
    'a signature with more behind it': (secret) => forge(`${hexOf(secret)}00`),
    'an empty signature': () => github('sha256='),
    'an empty signature of Gitea': () => forge(''),
    'a signature without its kind': (secret) => github(hexOf(secret)),
    'a signature of another kind': (secret) => github(`sha1=${hexOf(secret)}`),
    'SHA-1': (secret) => github(`sha256=${hexOf(secret, BODY, 'sha1')}`),
    'SHA-1 of before': (secret) => ({
      ...github(''),
      'x-hub-signature': `sha1=${hexOf(secret, BODY, 'sha1')}`,
    }),
    'the signature twice': (secret) => forge(`${hexOf(secret)}, ${hexOf(secret)}`),
    'no digits': () => forge('z'.repeat(64)),
    'digits of another script': () => forge('٣'.repeat(64)),
    'a signature of nothing': (secret) => forge(hexOf(secret, '')),
    'a signature of another body': (secret) => forge(hexOf(secret, `${BODY} `)),
    'a signature by an empty secret': () => forge(hexOf('')),
    'a good signature behind a bad one': (secret) => ({
      ...github(`sha256=${hexOf(secret)}`),
      ...forge(flip(hexOf(secret))),
    }),
    'the secret where a signature belongs': (secret) => forge(secret),
    'the token of GitLab with one letter changed': (secret) => token(`${secret.slice(0, -1)}!`),
    'the token cut short': (secret) => token(secret.slice(0, -1)),
    'the token with more behind it': (secret) => token(`${secret}x`),
    'the token in capitals': (secret) => token(secret.toUpperCase()),
    'an empty token': () => token(''),
    'the token twice': (secret) => token(`${secret}, ${secret}`),
    'the token as bearer': (secret) => ({ ...token(''), authorization: `Bearer ${secret}` }),
    'a very long token': (secret) => token(secret.repeat(100)),
    undefined: () => token('undefined'),
  };

  test.each(Object.entries(attempts))('%s', async (_what, headersBy) => {
    const hook = await world.hooked();
    const call = (path: string): WireCall => ({
      method: 'POST',
      path,
      headers: headersBy(hook.secret),
      body: BODY,
    });
    const bodyless = new URL(hook.address).pathname;
    // What every client of HTTP/1.1 may send: bytes, which Node takes as Latin-1.
    const send = async (path: string): Promise<WireAnswer> => {
      const { headers, ...rest } = call(path);
      const bytes = Object.entries(headers ?? {}).map(([name, value]) => [
        name,
        Buffer.from(value).toString('latin1'),
      ]);
      return world.wire.send({ ...rest, headers: Object.fromEntries(bytes) });
    };
    const refused = await send(bodyless);
    expect(refused.status, refused.text).toBe(404);
    expect(refused).toEqual(await send(new URL(world.absent().address).pathname));
    expect(await world.runsOf(hook)).toEqual([]);
    expect((await world.ada.get(`/deploy/${hook.deploy}/hook`)).body.hook).toMatchObject({
      last_delivery: null,
    });
  });

  test('the secret of another webhook, of the same user', async () => {
    const [one, other] = [await world.hooked(), await world.hooked()];
    for (const host of hookHosts) {
      const answer = await world.wire.send(pushTo({ ...one, secret: other.secret }, host));
      expect(answer).toEqual(
        await world.wire.send(pushTo({ ...world.absent(), secret: other.secret }, host)),
      );
      expect(answer.status).toBe(404);
    }
    expect(await world.runsOf(one)).toEqual([]);
  });

  test('a body that was changed or cut on its way', async () => {
    const hook = await world.hooked();
    for (const host of ['GitHub', 'Gitea', 'Forgejo', 'Bitbucket'] as const) {
      const call = pushTo(hook, host, { ref: 'refs/heads/other' });
      const text = String(call.body);
      for (const body of [text.slice(0, -1), `${text}\n`, text.replace('other', 'main'), '']) {
        expect((await world.wire.send({ ...call, body })).status, host).toBe(404);
      }
    }
    expect(await world.runsOf(hook)).toEqual([]);
  });

  test('with the work that it takes', async () => {
    const hook = await world.hooked();
    const sealing = sealingOf(randomBytes(32));
    const decoy = { id: 'decoy', sealed: sealing.seal('a decoy', sealingPlace('decoy')) };
    const idOf = ({ address }: HookUnderTest): string => address.split('/').at(-1) ?? '';
    const sealed = sealing.seal(hook.secret, sealingPlace(idOf(hook)));
    await world.db.updateTable('deploy_hooks').set({ sealed }).where('id', '=', idOf(hook)).execute();
    const keys = { db: world.db, sealing, log: createLogger({ logLevel: 'silent' }) };
    // So large that the work on it outweighs the rest.
    const body = Buffer.alloc(16 * 1024 * 1024);
    const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'x-github-event': 'push' };
    const workOf = async (id: string): Promise<number> => {
      const before = process.cpuUsage();
      const expected = await expectDelivery(keys, { id, headers }, decoy);
      expected.update(body);
      expect(expected.proven()).toBeUndefined();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await workOf(idOf(hook));
    // The least of several: what else the process does, such as collecting garbage, only adds.
    let [there, nowhere] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 5; round++) {
      there = Math.min(there, await workOf(idOf(hook)));
      nowhere = Math.min(nowhere, await workOf(randomUUID()));
    }
    expect(there / nowhere).toBeGreaterThan(0.5);
    expect(there / nowhere).toBeLessThan(2);
  });
});

describe('with the secret a hostile body starts nothing but a run of the branch', () => {
  const deep = `${'['.repeat(300_000)}${']'.repeat(300_000)}`;
  test.each([
    ['no JSON', '{"ref":', 400],
    ['nothing', '', 400],
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['no ref', '{}', 400],
    ['a ref that is an object', '{"ref":{"toString":"refs/heads/main"}}', 400],
    ['a ref that is a list', '{"ref":["refs/heads/main"]}', 400],
    ['a prototype', '{"__proto__":{"ref":"refs/heads/main"}}', 400],
    ['deep lists', deep, 400],
    ['a ref before deep lists', `{"ref":"refs/heads/main","x":${deep}}`, 400],
    ['deep objects', `${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)}`, 400],
    ['a ref with a line break', '{"ref":"refs/heads/main\\n"}', 202],
    ['a ref with a header in it', '{"ref":"refs/heads/main\\r\\nx-y: z"}', 202],
    ['a ref with NUL', '{"ref":"refs/heads/main\\u0000"}', 202],
    ['an option', '{"ref":"--upload-pack=touch /tmp/x"}', 202],
    ['a bare name', '{"ref":"main"}', 202],
    ['a very long ref', `{"ref":"refs/heads/${'m'.repeat(100_000)}"}`, 400],
    ['half of a character', '{"ref":"refs/heads/\\ud800"}', 202],
    ['brackets in a text', `{"ref":"refs/heads/main","x":"${'[{'.repeat(1000)}\\"${'['.repeat(1000)}"}`, 200],
    ['bytes that are no UTF-8', '{"ref":"refs/heads/\xff"}', 202],
  ])('%s', async (_what, body, status) => {
    const hook = await world.hooked();
    for (const host of ['GitHub', 'GitLab'] as const) {
      const answer = await world.wire.send(deliveryOf(hook, { host, body }));
      expect(answer.status, answer.text).toBe(status);
      expect(answer.text).not.toContain('/tmp/x');
    }
    expect(await world.runsOf(hook)).toHaveLength(status === 200 ? 1 : 0);
  });

  test('10,000 changes at Bitbucket, and a form without a payload', async () => {
    const hook = await world.hooked();
    const change = { new: { type: 'branch', name: 'main' } };
    const body = JSON.stringify({ push: { changes: Array(10_000).fill(change) } });
    expect((await world.wire.send(deliveryOf(hook, { host: 'Bitbucket', body }))).status).toBe(400);
    const type = 'application/x-www-form-urlencoded';
    for (const form of ['a=b', 'payload=', 'payload=%', 'payload[]=x']) {
      expect((await world.wire.send(deliveryOf(hook, { host: 'GitHub', body: form, type }))).status).toBe(
        400,
      );
    }
    expect(await world.runsOf(hook)).toEqual([]);
  });
});

describe('50 MB are refused before they are read, whether the webhook exists or not', () => {
  /** Writes until the other side has had enough; answers the status and the bytes that were taken. */
  async function flood(path: string, headers: string[]): Promise<{ status: string; taken: number }> {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
    const answer: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => answer.push(chunk));
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'X-Gitlab-Token: x', ...headers, '', ''];
    socket.write(head.join('\r\n'));
    const isChunked = headers.some((line) => line.startsWith('Transfer'));
    const junk = Buffer.alloc(64 * 1024, 'x');
    const piece = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), junk, Buffer.from('\r\n')]) : junk;
    const send = (): void => {
      while (!socket.destroyed && socket.bytesWritten < 50_000_000 && socket.write(piece));
    };
    socket.on('drain', send);
    send();
    await Promise.race([closed, new Promise((resolve) => socket.once('end', resolve))]);
    const taken = socket.bytesWritten;
    socket.destroy();
    return { status: Buffer.concat(answer).toString().split(' ')[1] ?? 'cut', taken };
  }

  test.each([
    ['announced', ['Content-Length: 50000000', 'Connection: close']],
    ['in pieces', ['Transfer-Encoding: chunked', 'Connection: close']],
  ])('%s', async (_what, headers) => {
    const hook = await world.hooked();
    for (const { address } of [hook, world.absent()]) {
      const { status, taken } = await flood(new URL(address).pathname, headers);
      // A client that writes without reading may lose the answer with its connection.
      expect(['413', 'cut']).toContain(status);
      expect(taken).toBeLessThan(20_000_000);
    }
    const body = `${BODY}${' '.repeat(1024 * 1024)}`;
    const refused = await world.wire.send(deliveryOf(hook, { host: 'GitHub', body }));
    expect(refused.status).toBe(413);
    expect(refused).toEqual(await world.wire.send(deliveryOf(world.absent(), { host: 'GitHub', body })));
    expect(await world.runsOf(hook)).toEqual([]);
  });
});

test('of thirty deliveries whose proof is to come, a few are kept and the others refused', async () => {
  const hook = await world.hooked();
  const body = Buffer.alloc(1024 * 1024 - 1_000, ' ');
  const head = [
    `POST ${new URL(hook.address).pathname} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    'X-GitHub-Event: push',
    `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`,
    `Content-Length: ${body.length}`,
  ];
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]).subarray(0, -1);
  const answers: string[] = [];
  const sockets = Array.from({ length: 30 }, (_, index) => {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => (answers[index] = chunk.toString()));
    socket.write(bytes);
    return socket;
  });
  const refused = () =>
    answers.filter((text) => text.includes(' 429 ') && text.includes('Too much is being sent'));
  // 8 MiB of one webhook are kept at a time.
  await expect.poll(() => refused().length).toBeGreaterThanOrEqual(22);
  expect(sockets.length - answers.filter(Boolean).length).toBeGreaterThan(0);
  // What is kept is dropped with its connection, and the webhook takes deliveries again.
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await world.wire.send(pushTo(hook, 'GitHub'))).status).toBe(200);
});
