import { randomUUID } from 'node:crypto';
import {
  authorizationRequests,
  foreignAddresses,
  forgeries,
} from '../../../apps/server/test/sessions/sign-in-probes.ts';
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
export const visitors: readonly Probe[] = [...hooks, ...signIns, ...streams];
