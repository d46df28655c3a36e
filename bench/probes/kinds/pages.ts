import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Principal } from '@icp-sdk/core/principal';
import { deploy, management } from '../../../packages/network/test/agent.ts';
import { hostileAnswers } from '../../../packages/network/test/hostile/hostile-answers.ts';
import { page, piece, streamingPage } from '../../../packages/network/test/hostile/hostile-pages.ts';
import { wat } from '../../../packages/wasm/test/text-format.ts';
import { UNANSWERING_WAT } from '../../../packages/network/test/canisters/unanswering-canister.ts';
import { type Attack, requestOf } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The longest answer that fits into a call that sets it. */
const LONGEST = 1_900_000;

/** Where a page of a canister is; `raw` addresses pass on without a check. */
const hostOf = (canister: Principal, { ports }: World, raw = false): string =>
  `${canister}.${raw ? 'raw.' : ''}localhost:${ports.network}`;

/** Visits of one attacker, some verified, some raw. */
async function visits(
  attack: Attack,
  world: World,
  count: number,
  beside = 10,
  line = 'GET /',
): Promise<void> {
  const requests = [false, true].map((raw) =>
    requestOf(line, { host: hostOf(world.scripted.id, world, raw) }),
  );
  await attack.all(requests, count, beside);
}

const names = hostileAnswers(new Uint8Array(10)).map(([name]) => name);

/** Each kind of answer that a canister can give. */
const answers: readonly Probe[] = names.map(
  (name, index): Probe => ({
    name: `a canister answers: ${name}`,
    at: 'network',
    millis: 8_000,
    async run(attack, world) {
      const { scripted } = world;
      const [, make] = hostileAnswers(scripted.id.toUint8Array())[index] ?? [];
      const answer = make?.();
      if (answer === undefined) return;
      const reply = answer.reply.subarray(0, LONGEST);
      if (answer.kind === 'page') await scripted.page(reply);
      else {
        await scripted.page(streamingPage(scripted.id.toUint8Array(), [], utf8('start')));
        await scripted.piece('0', reply);
      }
      await visits(attack, world, 30);
    },
  }),
);

/** Clients that ask for a page and take nothing of it. */
async function deafClients(
  attack: Attack,
  world: World,
  raw: boolean,
  count: number,
  froms = 1,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const socket = attack.open(froms > 1 ? `127.3.2.${(index % froms) + 1}` : undefined);
    socket.pause();
    socket.write(requestOf('GET /', { host: hostOf(world.scripted.id, world, raw) }));
  }
  await attack.hold();
}

const streaming = async ({ scripted }: World, body: Uint8Array): Promise<void> => {
  await scripted.page(streamingPage(scripted.id.toUint8Array(), [], utf8('start')));
  await scripted.piece('0', piece(body, '0'));
};

const streams: readonly Probe[] = [
  ...[true, false].flatMap((raw): Probe[] => {
    const kind = raw ? 'raw' : 'verified';
    return [
      {
        name: `a body without an end of empty pieces, ${kind}`,
        at: 'network',
        async run(attack, world) {
          await streaming(world, new Uint8Array());
          await attack.all([requestOf('GET /', { host: hostOf(world.scripted.id, world, raw) })], 30);
        },
      },
      {
        name: `a body without an end of single bytes, ${kind}`,
        at: 'network',
        async run(attack, world) {
          await streaming(world, utf8('x'));
          await attack.all([requestOf('GET /', { host: hostOf(world.scripted.id, world, raw) })], 20, 20);
          await attack.hold();
        },
      },
      {
        name: `pieces of 1.8 MB without an end for 20 clients that take nothing, ${kind}`,
        at: 'network',
        millis: 6_000,
        async run(attack, world) {
          await streaming(world, new Uint8Array(1_800_000));
          await deafClients(attack, world, raw, 20);
        },
      },
      {
        name: `the same for 60 clients of 20 addresses, ${kind}`,
        at: 'network',
        millis: 6_000,
        async run(attack, world) {
          await streaming(world, new Uint8Array(1_800_000));
          await deafClients(attack, world, raw, 60, 20);
        },
      },
    ];
  }),
  {
    name: 'pieces of 1.8 MB without an end for a client that takes all',
    at: 'network',
    millis: 6_000,
    async run(attack, world) {
      await streaming(world, new Uint8Array(1_800_000));
      for (let count = 0; count < 4; count += 1) {
        const socket = attack.open();
        socket.on('data', () => undefined);
        socket.write(requestOf('GET /', { host: hostOf(world.scripted.id, world, true) }));
      }
      await attack.hold();
    },
  },
];

/** A canister whose web requests become update calls that never end, as long as `use` takes; then all of them end. */
async function withBusy({ agent }: World, use: (canister: Principal) => Promise<void>): Promise<void> {
  const canister = await deploy(agent, wat(UNANSWERING_WAT));
  try {
    await use(canister);
  } finally {
    await management(agent).uninstall_code({ canister_id: canister });
  }
}

const bodies: readonly Probe[] = [
  {
    name: 'pages of 1.8 MB for 200 clients that take nothing',
    at: 'network',
    millis: 6_000,
    async run(attack, world) {
      await world.scripted.page(page([], new Uint8Array(1_800_000)));
      await deafClients(attack, world, true, 200);
    },
  },
  {
    name: 'the same for clients of 50 addresses',
    at: 'network',
    millis: 6_000,
    async run(attack, world) {
      await world.scripted.page(page([], new Uint8Array(1_800_000)));
      await deafClients(attack, world, true, 400, 50);
    },
  },
  {
    name: 'bodies of 4 MB for a page, 100 at a time',
    at: 'network',
    millis: 6_000,
    async run(attack, world) {
      await world.scripted.page(page());
      const body = new Uint8Array(4 * 1024 * 1024 - 1_000);
      await attack.all([requestOf('POST /', { host: hostOf(world.scripted.id, world), body })], 300, 100);
    },
  },
  {
    name: 'bodies of 1.9 MB for a canister that never answers its update calls, 300 at a time',
    at: 'network',
    millis: 8_000,
    async run(attack, world) {
      await withBusy(world, async (busy) => {
        const request = requestOf('POST /', { host: hostOf(busy, world), body: new Uint8Array(LONGEST) });
        await attack.many(300, 300, async () => {
          attack.open().write(request);
          await attack.hold();
        });
      });
    },
  },
  {
    name: 'the same from 20 addresses',
    at: 'network',
    millis: 8_000,
    async run(attack, world) {
      await withBusy(world, async (busy) => {
        const request = requestOf('POST /', { host: hostOf(busy, world), body: new Uint8Array(LONGEST) });
        await attack.many(400, 400, async (index) => {
          attack.open(`127.3.3.${(index % 20) + 1}`).write(request);
          await attack.hold();
        });
      });
    },
  },
  {
    name: 'visits that become update calls without an end, 1,500 at a time',
    at: 'network',
    millis: 8_000,
    async run(attack, world) {
      await withBusy(world, async (busy) => {
        const request = requestOf('GET /', { host: hostOf(busy, world) });
        for (let count = 0; count < 1_500; count += 1) {
          attack.open().write(request);
          if (count % 100 === 99) await delay(20);
        }
        await attack.hold();
      });
    },
  },
];

const paths: readonly Probe[] = [
  ...(
    [
      ['a path of 4,000 parts', `GET ${'/a'.repeat(4_000)}`],
      ['a path of 7,000 parts with signs', `GET ${'/%2f'.repeat(3_500)}`],
      ['a question of 15 kB', `GET /?${'a&'.repeat(7_000)}`],
      ['a path that goes up', `GET ${'/..'.repeat(4_000)}`],
    ] as const
  ).map(
    ([name, line]): Probe => ({
      name: `${name}, at a site`,
      at: 'network',
      async run(attack, world) {
        await world.scripted.page(page());
        await visits(attack, world, 400, 10, line);
      },
    }),
  ),
  {
    name: '1,000 headers for a canister',
    at: 'network',
    async run(attack, world) {
      await world.scripted.page(page());
      const headers = Array.from({ length: 900 }, (_, index) => `h${index}: ${'v'.repeat(8)}`);
      await attack.all([requestOf('GET /', { host: hostOf(world.scripted.id, world), headers })], 400);
    },
  },
  {
    name: 'hosts of canisters that are none',
    at: 'network',
    async run(attack, world) {
      const hosts = [
        'x',
        'aaaaa-aa',
        `${'a'.repeat(60)}`,
        '_',
        'xn--p1ai',
        world.scripted.id.toText().toUpperCase(),
      ];
      const requests = hosts.flatMap((host) =>
        ['localhost', 'raw.localhost'].map((end) => requestOf('GET /', { host: `${host}.${end}` })),
      );
      const named = ['x', 'a'.repeat(9_000), '%00', world.scripted.id.toText()].map((id) =>
        requestOf(`GET /?canisterId=${id}`),
      );
      await attack.all([...requests, ...named], 2_000, 20);
    },
  },
  {
    name: 'ranges of a page',
    at: 'network',
    async run(attack, world) {
      await world.scripted.page(page([['Content-Range', 'bytes 0-0/99999999999999']], utf8('x')));
      const requests = ['bytes=0-', `bytes=${'0-0,'.repeat(3_000)}`, 'bytes=99999999999999999999-'].map(
        (range) =>
          requestOf('GET /', { host: hostOf(world.scripted.id, world, true), headers: [`Range: ${range}`] }),
      );
      await attack.all(requests, 200);
    },
  },
  {
    name: 'a total of 8 GB that a canister claims',
    at: 'network',
    millis: 6_000,
    async run(attack, world) {
      const body = gzipSync(Buffer.alloc(1_000_000, 'x'));
      const headers = [['Content-Range', `bytes 0-${body.length - 1}/8589934592`]] as const;
      await world.scripted.page(page([...headers], body));
      await visits(attack, world, 30, 30);
      await attack.hold();
    },
  },
];

/** What canisters answer to the gateway, and what clients do with it. */
export const pages: readonly Probe[] = [...answers, ...streams, ...bodies, ...paths];
