import { expect, test } from 'vitest';
import { doubleTexts } from '../../../../packages/network/test/double-texts.ts';
import { withoutSecrets } from './log-secrets.ts';
import { newSecret } from '../secrets.ts';

const SECRET = 'tr0ub4dor-And-3';
/** A finished line, as the log has it. */
const line = (fields: object): string => `${JSON.stringify({ level: 40, ...fields })}\n`;

test.each<[string, object]>([
  ['a header', { headers: { authorization: `Basic ${SECRET}`, cookie: `sid=${SECRET}` } }],
  ['a header of several values', { err: { headers: { 'Set-Cookie': [`sid=${SECRET}`, `b=${SECRET}`] } } }],
  ['a header as text', { msg: `request failed: Authorization: token ${SECRET} was sent` }],
  ['cookies as text', { msg: `Cookie: a=${SECRET}; b=${SECRET}` }],
  ['a scheme alone', { msg: `tried Bearer ${SECRET}` }],
  [
    'the password of an address',
    { err: { message: `connect postgres://cannery:${SECRET}@db:5432/x failed` } },
  ],
  ['a token as the user of an address', { msg: `could not clone https://${SECRET}@github.com/a/b` }],
  ['a parameter of an address', { path: `/login?next=1&token=${SECRET}&x=2` }],
  ['the code of a sign-in', { path: `/auth/google/callback?state=${SECRET}&code=${SECRET}` }],
  ['a signed address', { msg: `GET https://s3/x?X-Amz-Signature=${SECRET}&X-Amz-Credential=${SECRET}` }],
  [
    'a setting',
    { err: { options: { secretAccessKey: SECRET, clientSecret: SECRET, access_token: SECRET } } },
  ],
  ['JSON in a text', { msg: `the answer was ${JSON.stringify({ refresh_token: SECRET, n: 1 })}` }],
  ['a text with quotes', { token: `"${SECRET}\\"${SECRET}` }],
])('%s is not logged', (_what, fields) => {
  const shown = withoutSecrets(line(fields));
  expect(shown).not.toContain(SECRET);
  expect(shown).toContain('[redacted]');
  expect(JSON.parse(shown)).toMatchObject({ level: 40 });
});

test.each([
  ['a session', newSecret()],
  ['an access token of the git host', `cnry_${newSecret()}`],
  ['a token of GitHub', `ghp_${'a1B2'.repeat(9)}`],
])('%s is recognised by its form, wherever it is', (_what, secret) => {
  for (const fields of [{ path: `/x/${secret}/y` }, { msg: `it was (${secret})` }, { a: { b: [secret] } }])
    expect(withoutSecrets(line(fields))).not.toContain(secret);
});

test('what operators need stays: ids, hashes, codes, principals and sentences', () => {
  const kept = line({
    request_id: 'k3f9a2c-1x7',
    run: '01980f5e-7a44-7cc0-a7f2-3f1f4f2f8c11',
    hash: 'a'.repeat(64),
    commit: 'b'.repeat(40),
    principal: '2vxsx-fae-aaaaa-bbbbb-ccccc-ddddd-eeeee-fffff-ggggg-hhhhh-iii',
    err: {
      type: 'Error',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
      stack: 'at a (b.ts:1:2)',
    },
    msg: 'The token of a webhook was refused; the key of the server has changed.',
  });
  expect(withoutSecrets(kept)).toBe(kept);
});

test('a line of any length stays one object, and short', () => {
  const long = withoutSecrets(line({ msg: 'm', err: { stack: `${'x'.repeat(200_000)} Bearer ${SECRET}` } }));
  expect(long.length).toBeLessThan(6_000);
  expect(JSON.parse(long)).toMatchObject({ level: 40, msg: 'm' });
  const wide = withoutSecrets(line({ msg: 'm', lines: Array.from({ length: 20_000 }, () => SECRET) }));
  expect(JSON.parse(wide)).toMatchObject({ level: 40, msg: 'm', cut: true });
});

doubleTexts([
  {
    name: 'a line of the log',
    cap: 32 * 1024,
    most: 60,
    read: withoutSecrets,
    texts: [
      ['{"msg":"', 'token=', '"}'],
      ['{"msg":"', '://', '"}'],
      ['{"msg":"', '://a:', '"}'],
      ['{"msg":"', 'authorization: ', '"}'],
      ['{"msg":"', 'x-amz-', '"}'],
      ['{"msg":"', '\\"token\\":\\"', '"}'],
      ['{"a":[', '"token":"x",', '1]}'],
      ['{"msg":"', 'a', '"}'],
      ['{"msg":"', 'Bearer ', '"}'],
    ],
  },
]);
