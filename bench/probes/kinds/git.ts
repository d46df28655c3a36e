import { gzipSync } from 'node:zlib';
import { pushOfRepeats, pushOfZeros } from '../../../apps/server/test/git/hostile-pack.ts';
import { posted, requestOf } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const MEBIBYTE = 1024 * 1024;
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

/** Pushes and fetches that are none. */
export const gits: readonly Probe[] = [
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
