import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SampleCanister, START_MS, startSample } from './sample-canister.ts';
import { browse, certifiedPage } from './sample-page.ts';

const entry = IDL.Record({ id: IDL.Nat, name: IDL.Text, text: IDL.Text, at: IDL.Int });
const interfaceOf: IDL.InterfaceFactory = () =>
  IDL.Service({
    sign: IDL.Func([IDL.Text, IDL.Text], [IDL.Variant({ ok: IDL.Nat, err: IDL.Text })], []),
    entries: IDL.Func([], [IDL.Vec(entry)], ['query']),
    remove: IDL.Func([IDL.Nat], [IDL.Bool], []),
  });
interface GuestBook {
  sign(name: string, text: string): Promise<{ ok: bigint } | { err: string }>;
  entries(): Promise<{ id: bigint; name: string; text: string }[]>;
  remove(id: bigint): Promise<boolean>;
}

let sample: SampleCanister;
beforeAll(async () => {
  sample = await startSample(
    'guest-book',
    new Uint8Array(IDL.encode([IDL.Opt(IDL.Text)], [['Ada & friends']])),
  );
}, START_MS);
afterAll(() => sample.close());

const sign = (form: Record<string, string>): ReturnType<typeof browse> =>
  browse(sample, '/sign', {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

test('a guest signs by the form; the certified page shows the words as text, and an upgrade keeps them', async () => {
  const empty = await certifiedPage(sample, '/');
  expect(empty.body).toContain('<h1>Ada &amp; friends</h1>');
  expect(empty.body).toContain('Nobody has written yet.');

  const hostile = `<script>alert("1")</script> & 'ü'\n<img src=x onerror=alert(1)>`;
  const signed = await sign({ name: 'Bob <b>', text: hostile });
  expect(signed).toMatchObject({ status: 303, headers: { location: '/' } });
  const { status, body, headers } = await browse(sample, '/');
  expect(status).toBe(200);
  expect(body).toContain('Bob &lt;b&gt;');
  expect(body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;ü&#39;');
  expect(body).not.toMatch(/<script|<img/);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(body).toContain(new Date(Number(sample.network.now() / 1_000_000n)).toISOString().slice(0, 10));

  const certified = await certifiedPage(sample, '/?from=elsewhere');
  expect(certified).toMatchObject({ status: 200, body });
  expect(certified.headers.get('content-security-policy')).toBe(headers['content-security-policy']);
  for (const path of ['/unknown', '/unknown/', '/sign/more', '/a%20b']) {
    expect((await certifiedPage(sample, path)).status, path).toBe(404);
    expect((await browse(sample, path)).status, path).toBe(404);
  }

  await sample.upgrade('1.1.0');
  expect((await certifiedPage(sample, '/')).body).toBe(body);
  const stranger = await sample.actor<GuestBook>(interfaceOf, Ed25519KeyIdentity.generate());
  const owner = await sample.actor<GuestBook>(interfaceOf, sample.controller);
  const [first] = await owner.entries();
  expect(first).toMatchObject({ id: 1n, name: 'Bob <b>', text: hostile });
  expect(await stranger.remove(1n)).toBe(false);
  expect(await owner.remove(1n)).toBe(true);
  expect((await certifiedPage(sample, '/')).body).toContain('Nobody has written yet.');
});

test('words that are too long, and too many at once, are refused', async () => {
  expect(await sign({ name: 'Bob', text: 'x'.repeat(501) })).toMatchObject({ status: 400 });
  expect(await sign({ name: ' ', text: 'x' })).toMatchObject({ status: 400 });
  expect(await sign({ name: 'Bob', text: 'x'.repeat(20_000) })).toMatchObject({ status: 413 });
  const book = await sample.actor<GuestBook>(interfaceOf);
  const answers = await Promise.all(Array.from({ length: 62 }, (_, at) => book.sign('Bob', `Hello ${at}`)));
  // At most one minute ends meanwhile, and 30 are taken in each.
  expect(answers.filter((answer) => 'err' in answer).length).toBeGreaterThanOrEqual(2);
  expect(answers).toContainEqual({ err: expect.stringContaining('in a minute') });
});
