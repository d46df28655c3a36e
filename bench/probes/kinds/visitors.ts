import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pushOfRepeats, pushOfZeros } from '../../../apps/server/test/hostile-pack.ts';
import {
  authorizationRequests,
  foreignAddresses,
  forgeries,
} from '../../../apps/server/test/sign-in-probes.ts';
import { type Attack, posted, requestOf } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const MEBIBYTE = 1024 * 1024;
const GITHUB = ['X-GitHub-Event: push', `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`];

/** Connections that send a delivery but for its last byte. */
async function deliveries(
  attack: Attack,
  count: number,
  { froms = 1, hooks = 1, headers = GITHUB, bytes = MEBIBYTE },
): Promise<void> {
  const ids = Array.from({ length: hooks }, () => randomUUID());
  const all = ids.map((id) =>
    posted(`/api/hooks/deploy/${id}`, Buffer.alloc(bytes, ' '), 'application/json', ...headers).subarray(
      0,
      -1,
    ),
  );
  await attack.many(count, count, async (index) => {
    attack.open(froms > 1 ? `127.3.6.${(index % froms) + 1}` : undefined).write(all[index % hooks] ?? '');
    await attack.hold();
  });
}

const hooks: readonly Probe[] = [
  {
    name: '900 deliveries of 1 MB without proof that do not end',
    at: 'server',
    millis: 8_000,
    run: (attack) => deliveries(attack, 900, {}),
  },
  {
    name: 'the same to 100 webhooks',
    at: 'server',
    millis: 8_000,
    run: (attack) => deliveries(attack, 900, { hooks: 100 }),
  },
  {
    name: 'the same to 100 webhooks from 90 addresses',
    at: 'server',
    millis: 8_000,
    run: (attack) => deliveries(attack, 900, { hooks: 100, froms: 90 }),
  },
  {
    name: '900 deliveries that can prove nothing',
    at: 'server',
    millis: 8_000,
    run: (attack) => deliveries(attack, 900, { headers: [], froms: 90 }),
  },
  {
    name: '900 deliveries of GitLab',
    at: 'server',
    millis: 8_000,
    run: (attack) =>
      deliveries(attack, 900, { headers: ['X-Gitlab-Event: Push Hook', 'X-Gitlab-Token: x'], froms: 90 }),
  },
  {
    name: 'deliveries of 1 MB, one after the other',
    at: 'server',
    run: (attack) =>
      attack.all(
        [
          posted(
            `/api/hooks/deploy/${randomUUID()}`,
            Buffer.alloc(MEBIBYTE - 10, '['),
            'application/json',
            ...GITHUB,
          ),
        ],
        300,
      ),
  },
  {
    name: 'deliveries to webhooks that are none, of strange ids',
    at: 'server',
    run: (attack) =>
      attack.all(
        ['x', '%00', 'a'.repeat(290), '..'].map((id) =>
          posted(`/api/hooks/deploy/${id}`, Buffer.from('{}'), 'application/json', ...GITHUB),
        ),
        600,
        20,
      ),
  },
];

const question = (fields: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();

const signIns: readonly Probe[] = [
  {
    name: 'sign-ins that are begun, from 50 addresses',
    at: 'server',
    async run(attack) {
      await attack.many(3_000, 30, (index) =>
        attack.send(requestOf('GET /auth/google/'), { from: `127.3.7.${(index % 50) + 1}` }),
      );
    },
  },
  {
    name: 'answers of the provider that are forged',
    at: 'server',
    run: (attack) =>
      attack.all(
        Object.values(forgeries).map((fields) =>
          requestOf(`GET /api/auth/google/callback?${question({ code: 'c', state: 's', ...fields })}`, {
            headers: [`Cookie: sign-in=${'x'.repeat(3_000)}`],
          }),
        ),
        250,
        10,
      ),
  },
  {
    name: 'questions for the provider that are forged',
    at: 'server',
    run: (attack) =>
      attack.all(
        Object.values(authorizationRequests).map((fields) =>
          requestOf(
            `GET /oidc/auth?${question({ client_id: 'console', response_type: 'code', scope: 'openid', ...fields })}`,
          ),
        ),
        250,
        10,
      ),
  },
  {
    name: 'questions for the provider with 15 kB',
    at: 'server',
    run: (attack) =>
      attack.all(
        [
          `scope=${'a%20'.repeat(3_500)}`,
          `claims=${'%7B%22a%22%3A'.repeat(1_100)}`,
          `ui_locales=${'a-'.repeat(7_000)}`,
          `prompt=${'none%20'.repeat(2_000)}`,
          `redirect_uri=${'%2F'.repeat(4_500)}`,
        ].map((fields) => requestOf(`GET /oidc/auth?client_id=console&${fields}`)),
        250,
        10,
      ),
  },
  {
    name: 'forms of the provider: names of 15 kB',
    at: 'server',
    run: (attack) =>
      attack.all(
        ['/oidc/token', '/sign-in/x', '/oidc/request'].map((path) =>
          posted(
            path,
            Buffer.from(`login=${'%F0%9F%98%80'.repeat(1_200)}&code=${'x'.repeat(1_000)}`),
            'application/x-www-form-urlencoded',
          ),
        ),
        250,
        10,
      ),
  },
  {
    name: 'cookies of the provider that are forged',
    at: 'server',
    run: (attack) =>
      attack.all(
        ['_interaction', '_interaction_resume', '_session', '_session.legacy.sig'].map((name) =>
          requestOf('GET /sign-in/x', {
            headers: [`Cookie: ${name}=${'A'.repeat(9_000)}; ${name}.sig=${'A'.repeat(3_000)}`],
          }),
        ),
        250,
        10,
      ),
  },
  {
    name: 'addresses that lead elsewhere',
    at: 'server',
    run: (attack) =>
      attack.all(
        foreignAddresses.map((path) => requestOf(`GET ${path}`)),
        400,
        10,
      ),
  },
];

const LINES = { flush: '0000', none: '0001', huge: 'ffff', wrong: 'zzzz', short: '0003' };

const ofGit = ({ gitPassword }: World): string[] => [
  `Authorization: Basic ${Buffer.from(`x:${gitPassword}`).toString('base64')}`,
];
const push = (world: World, body: Uint8Array, ...more: string[]): Buffer =>
  posted(
    '/eve/site.git/git-receive-pack',
    body,
    'application/x-git-receive-pack-request',
    ...ofGit(world),
    ...more,
  );
const fetchOf = (world: World, body: Uint8Array, ...more: string[]): Buffer =>
  posted(
    '/eve/site.git/git-upload-pack',
    body,
    'application/x-git-upload-pack-request',
    ...ofGit(world),
    ...more,
  );
const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

function git(name: string, make: (world: World) => readonly Uint8Array[], count = 12, millis = 8_000): Probe {
  return {
    name: `git: ${name}`,
    at: 'server',
    millis,
    run: (attack, world) => attack.all(make(world), count, 4),
  };
}

const packOf = (count: number, rest: Uint8Array): Buffer => {
  const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
  head.writeUInt32BE(count, 8);
  const command = line(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/x\0 report-status\n`);
  return Buffer.concat([Buffer.from(`${command}0000`), head, rest]);
};

const gits: readonly Probe[] = [
  git('lines of all lengths', (world) =>
    Object.values(LINES).map((each) => push(world, Buffer.from(each.repeat(10_000)))),
  ),
  git(
    'a million ends of parts',
    (world) => [
      push(world, Buffer.alloc(4_000_000, '0000')),
      fetchOf(world, Buffer.alloc(4_000_000, '0000')),
    ],
    8,
  ),
  git('100,000 commands', (world) => [
    push(
      world,
      Buffer.from(
        Array.from({ length: 20_000 }, (_, index) =>
          line(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/b${index}\n`),
        ).join(''),
      ),
    ),
  ]),
  git('names of branches of 60 kB', (world) => [
    push(
      world,
      Buffer.from(`${line(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/${'x'.repeat(65_000)}`)}0000`),
    ),
  ]),
  git('a pack of four billion objects', (world) => [push(world, packOf(0xffff_ffff, Buffer.alloc(100_000)))]),
  git('a pack of zeros, of noise, and without an end', (world) => [
    push(world, packOf(3, Buffer.alloc(4 * MEBIBYTE))),
    push(world, packOf(3, Buffer.alloc(4 * MEBIBYTE, 'noise'))),
  ]),
  git(
    'a pack whose file is 200 MB of zeros',
    (world) => [push(world, pushOfZeros(200 * MEBIBYTE))],
    4,
    12_000,
  ),
  git('a pack of differences that make 300 MB', (world) => [push(world, pushOfRepeats(300))], 4, 12_000),
  git(
    'a push that is packed and has a gigabyte',
    (world) => [
      push(
        world,
        Buffer.concat(Array.from({ length: 10 }, () => gzipSync(Buffer.alloc(100 * MEBIBYTE), { level: 1 }))),
        'Content-Encoding: gzip',
      ),
    ],
    4,
    12_000,
  ),
  git(
    'a fetch that wants 100,000 commits',
    (world) => [
      fetchOf(
        world,
        Buffer.from(
          `${Array.from({ length: 100_000 }, (_, index) => line(`want ${index.toString(16).padStart(40, '0')}\n`)).join('')}0000`,
        ),
      ),
    ],
    8,
  ),
  git(
    'a fetch by the newer protocol, hostile',
    (world) => [
      fetchOf(
        world,
        Buffer.from(
          `${line('command=ls-refs\n')}0001${line(`ref-prefix ${'x'.repeat(60_000)}`).repeat(60)}0000`,
        ),
        'Git-Protocol: version=2',
      ),
      fetchOf(
        world,
        Buffer.from(`${line('command=fetch')}0001${line(`have ${'1'.repeat(40)}\n`).repeat(50_000)}0000`),
        'Git-Protocol: version=2',
      ),
    ],
    8,
  ),
  {
    name: 'git: lists of branches without a pause, and without a password',
    at: 'server',
    async run(attack, world) {
      const path = 'GET /eve/site.git/info/refs?service=git-upload-pack';
      await attack.all(
        [
          requestOf(path, { headers: ofGit(world) }),
          requestOf(path),
          requestOf(path, { headers: [`Authorization: Basic ${'QTpC'.repeat(400)}`] }),
        ],
        600,
        20,
      );
    },
  },
  {
    name: 'git: 100 pushes that do not come to their end',
    at: 'server',
    millis: 6_000,
    async run(attack, world) {
      const whole = push(world, packOf(10, Buffer.alloc(MEBIBYTE)));
      await attack.many(100, 100, async () => {
        attack.open().write(whole.subarray(0, -10));
        await attack.hold();
      });
    },
  },
];

const logPath = ({ run }: World): string => `/api/deploy/${run.id}/instances/${run.instanceId}/log`;
const ofEve = ({ eve }: World): string[] => [`Authorization: Bearer ${eve.token}`];

const streams: readonly Probe[] = [
  {
    name: 'a log of 90,000 lines for 200 readers that take nothing',
    at: 'server',
    millis: 8_000,
    async run(attack, world) {
      for (let count = 0; count < 200; count += 1) {
        const socket = attack.open();
        socket.pause();
        socket.write(requestOf(`GET ${logPath(world)}`, { headers: ofEve(world) }));
      }
      await attack.hold();
    },
  },
  {
    name: 'the same log for readers that go at once',
    at: 'server',
    run: (attack, world) =>
      attack.all([requestOf(`GET ${logPath(world)}`, { headers: ofEve(world) })], 150, 10),
  },
  {
    name: 'the same log from behind lines that are none',
    at: 'server',
    run: (attack, world) =>
      attack.all(
        ['99999999999999999999', '-1', 'x'.repeat(9_000), '1'.repeat(9_000), '5 5'].map((id) =>
          requestOf(`GET ${logPath(world)}`, { headers: [...ofEve(world), `Last-Event-ID: ${id}`] }),
        ),
        150,
        10,
      ),
  },
  {
    name: 'the whole run, its log included, for 200 readers that take nothing',
    at: 'server',
    millis: 8_000,
    async run(attack, world) {
      for (let count = 0; count < 200; count += 1) {
        const socket = attack.open();
        socket.pause();
        socket.write(requestOf(`GET ${logPath(world).replace(/\/log$/, '')}`, { headers: ofEve(world) }));
      }
      await attack.hold();
    },
  },
  {
    name: 'files of the console for 1,000 readers that take nothing',
    at: 'server',
    millis: 6_000,
    async run(attack) {
      await attack.many(1_000, 1_000, async (index) => {
        const socket = attack.open(`127.3.8.${(index % 20) + 1}`);
        socket.pause();
        socket.write(requestOf('GET /login').toString().repeat(20));
        await attack.hold();
      });
    },
  },
  {
    name: 'documents of the interface for 300 readers that take nothing',
    at: 'server',
    millis: 5_000,
    async run(attack) {
      await attack.many(300, 300, async () => {
        const socket = attack.open();
        socket.pause();
        socket.write(requestOf('GET /api/docs/json').toString().repeat(10));
        await attack.hold();
      });
    },
  },
];

/** Whoever comes to the server without being its user, or as a user of its other parts. */
export const visitors: readonly Probe[] = [...hooks, ...signIns, ...gits, ...streams];
