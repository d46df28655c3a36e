import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { hostileModules } from '../../../apps/server/test/support/hostile-modules.ts';
import { carriers, hostilePictures } from '../../../apps/server/test/service/hostile-pictures.ts';
import { type Attack, requestOf } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const MEBIBYTE = 1024 * 1024;
const BOUNDARY = 'x'.repeat(30);
const ROUTES = { wasm: '/api/document/upload', icon: '/api/document/upload/icon' } as const;
type Kind = keyof typeof ROUTES;

const headOf = (kind: Kind, name = 'file'): Buffer =>
  Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${kind}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
const END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const headers = ({ attacker }: World): string[] => [
  `Authorization: Bearer ${attacker.token}`,
  `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
];

/** A form with these bytes. */
const formOf = (world: World, kind: Kind, form: Uint8Array): Buffer =>
  requestOf(`POST ${ROUTES[kind]}`, { headers: headers(world), body: form });
const uploadOf = (world: World, kind: Kind, file: Uint8Array): Buffer =>
  formOf(world, kind, Buffer.concat([headOf(kind), file, END]));

/** Files in groups of a few: each group is a probe. */
function inGroups(
  kind: Kind,
  files: readonly (readonly [name: string, bytes: Buffer])[],
  of: number,
): Probe[] {
  const groups = Array.from({ length: Math.ceil(files.length / of) }, (_, at) =>
    files.slice(at * of, at * of + of),
  );
  return groups.map((group) => ({
    name: `${kind}: ${group
      .map(([name]) => name)
      .join('; ')
      .slice(0, 200)}`,
    at: 'server',
    millis: 15_000,
    async run(attack, world) {
      await attack.all(
        group.map(([, bytes]) => uploadOf(world, kind, bytes)),
        group.length,
        4,
      );
      // What a user uploads has a rate.
      await delay(500);
    },
  }));
}

/** Writes the head of a form, then pieces without an end. */
const endless = (
  name: string,
  kind: Kind,
  start: (world: World) => Uint8Array,
  piece: Buffer,
  count = 4,
): Probe => ({
  name,
  at: 'server',
  millis: 4_000,
  async run(attack: Attack, world) {
    const size = piece.length.toString(16);
    const chunk = Buffer.concat([Buffer.from(`${size}\r\n`), piece, Buffer.from('\r\n')]);
    const first = start(world);
    const head = requestOf(`POST ${ROUTES[kind]}`, {
      headers: [...headers(world), 'Transfer-Encoding: chunked'],
    });
    const opened =
      first.length === 0
        ? Buffer.alloc(0)
        : Buffer.concat([Buffer.from(`${first.length.toString(16)}\r\n`), first, Buffer.from('\r\n')]);
    await attack.many(count, count, () =>
      attack.send(Buffer.concat([head, opened]), { goOn: (socket) => attack.pour(socket, () => chunk) }),
    );
  },
});

const nothing = (): Uint8Array => Buffer.alloc(0);
const junk = Buffer.alloc(256 * 1024, 'x');

const forms: readonly Probe[] = [
  endless('a form with a preamble without an end', 'wasm', nothing, junk),
  endless(
    'a form whose head does not end',
    'wasm',
    () => Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: `),
    junk,
  ),
  endless(
    'a form of heads without an end',
    'wasm',
    () => Buffer.from(`--${BOUNDARY}\r\n`),
    Buffer.from('a: b\r\n'.repeat(10_000)),
  ),
  endless(
    'a form of empty parts without an end',
    'wasm',
    nothing,
    Buffer.from(`--${BOUNDARY}\r\n\r\n\r\n`.repeat(2_000)),
  ),
  endless(
    'a form of fields without an end',
    'wasm',
    nothing,
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="x"\r\n\r\n${'y'.repeat(9_000)}\r\n`.repeat(20),
    ),
  ),
  endless(
    'a form that nearly ends, without an end',
    'wasm',
    () => headOf('wasm'),
    Buffer.from(`\r\n--${'x'.repeat(29)}y`.repeat(5_000)),
  ),
  endless(
    'a form of ends of lines without an end',
    'wasm',
    () => headOf('wasm'),
    Buffer.from('\r\n-'.repeat(80_000)),
  ),
  endless('an icon without an end', 'icon', () => headOf('icon'), junk),
  endless(
    'a module without an end',
    'wasm',
    () => Buffer.concat([headOf('wasm'), Buffer.from('0061736d01000000', 'hex')]),
    junk,
  ),
  endless(
    'a packed module without an end',
    'wasm',
    () => headOf('wasm'),
    gzipSync(Buffer.alloc(40 * MEBIBYTE), { level: 9 }),
  ),
  {
    name: 'a file with a name of 60 kB, with names of every object, and none',
    at: 'server',
    async run(attack, world) {
      const names = ['n'.repeat(60_000), '__proto__', '../../x', '%00', '"; name="other'];
      const requests = names.map((name) =>
        formOf(world, 'wasm', Buffer.concat([headOf('wasm', name), Buffer.from('x'), END])),
      );
      await attack.all(requests, 25, 5);
    },
  },
  {
    name: '200 uploads that do not come to their end',
    at: 'server',
    millis: 5_000,
    async run(attack, world) {
      const whole = uploadOf(world, 'wasm', Buffer.alloc(MEBIBYTE, 'x'));
      await attack.many(200, 200, async () => {
        attack.open().write(whole.subarray(0, -10));
        await attack.hold();
      });
    },
  },
  {
    name: 'uploads without a session',
    at: 'server',
    async run(attack, world) {
      const stranger = { ...world, attacker: { ...world.attacker, token: 'x' } };
      await attack.all(
        [
          uploadOf(stranger, 'wasm', Buffer.alloc(8 * MEBIBYTE)),
          uploadOf(stranger, 'icon', Buffer.alloc(4 * MEBIBYTE)),
        ],
        60,
      );
    },
  },
];

/** Files of users. */
export const uploads: readonly Probe[] = [
  ...forms,
  ...inGroups(
    'icon',
    hostilePictures.map(([name, bytes]) => [name, bytes] as const),
    4,
  ),
  ...inGroups('icon', carriers, 2),
  ...inGroups(
    'wasm',
    hostileModules.map(([name, bytes]) => [name, bytes] as const),
    6,
  ),
];
