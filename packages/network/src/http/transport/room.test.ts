import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { keptBytes } from '../../../test/free-memory.ts';
import { type ListenAddress, type HttpServer, startHttpServer } from '../server.ts';
import { clientAddress } from './client-address.ts';
import { type HeldKind, type Holder, Room, ROOM_LIMITS, type RoomLimits, Share } from './room.ts';
import type { NetworkService } from '../endpoints/service.ts';

const MEBIBYTE = 1024 * 1024;
const HERE: ListenAddress = { host: '127.0.0.1', port: 0 };
const service = { keys: { rootKey: new Uint8Array(133) }, now: () => 0n } as unknown as NetworkService;

let server: HttpServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

const limitsOf = (limits: RoomLimits): Record<HeldKind, RoomLimits> => ({
  bodies: limits,
  requests: limits,
  ahead: limits,
  answers: limits,
});
const shareOfHolder = (
  room: Room,
  holder: Holder,
  kind: HeldKind = 'bodies',
  drop = (): void => undefined,
): Share => new Share(room, { kind, holder, drop });

test('bytes and connections are bounded for an address and for all, and come back', () => {
  const room = new Room(limitsOf({ all: 100, ofOne: 60 }), { all: 3, ofOne: 2 });
  const enter = (address: string): Holder | undefined => room.enter(clientAddress(address));
  const [one, same, other] = [enter('10.0.0.1'), enter('::ffff:10.0.0.1'), enter('10.0.0.2')];
  if (!one || !other) throw new Error('there is room');
  expect(same).toBe(one);
  expect([enter('10.0.0.1'), enter('10.0.0.3')]).toEqual([undefined, undefined]);
  const [first, second] = [shareOfHolder(room, one), shareOfHolder(room, other)];
  expect([first.hold(60), first.hold(1), second.hold(41), second.hold(40)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  first.release();
  expect(second.hold(20)).toBe(true);
  second.release();
  for (const holder of [one, one, other]) room.leave(holder);
  expect(room.holders).toBe(0);
  expect([enter('2001:db8:1:2::1'), enter('2001:db8:1:2:3::')].map((each) => each?.address)).toEqual([
    '2001:db8:1:2',
    '2001:db8:1:2',
  ]);
});

test('what has been held for long gives way to others, that of the same address first; a kind that is full bounds no other', async () => {
  const room = new Room(limitsOf({ all: 100, ofOne: 60 }), { all: 9, ofOne: 9 }, 30);
  const dropped: string[] = [];
  const share = (address: string, name: string, kind: HeldKind = 'bodies'): Share => {
    const holder = room.enter(clientAddress(address));
    if (!holder) throw new Error('there is room');
    return shareOfHolder(room, holder, kind, () => dropped.push(name));
  };
  const [oldest, own, young] = [share('1', 'oldest'), share('2', 'own'), share('2', 'young')];
  expect([oldest.hold(40), own.hold(30), young.hold(30)]).toEqual([true, true, true]);
  // Nobody has had his time yet.
  expect(share('3', 'early').hold(10)).toBe(false);
  expect(share('3', 'answer', 'answers').hold(60)).toBe(true);
  await expect.poll(() => share('2', 'next').hold(20)).toBe(true);
  expect(dropped).toEqual(['own']);
  expect([own.hold(1), own.hold(0)]).toEqual([false, false]);
  own.release();
  // Whatever comes fast enough stays.
  oldest.moved = young.moved = 10 ** 9;
  expect(share('3', 'stranger').hold(50)).toBe(false);
  oldest.moved = 0;
  expect(share('3', 'stranger').hold(50)).toBe(true);
  expect(dropped).toEqual(['own', 'oldest']);
});

test('bodies that are sent slowly, before any proof, take no more memory than there is room', {
  timeout: 90_000,
}, async () => {
  server = await startHttpServer(service, { handle: async () => undefined }, HERE);
  const { port } = server;
  const before = await keptBytes();
  const size = 4 * MEBIBYTE;
  const head = `POST /api/v3/canister/aaaaa-aa/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/cbor\r\nContent-Length: ${size}\r\n\r\n`;
  const body = Buffer.alloc(size - 1);
  const answers: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => answers.push(String(data).slice(0, 12)));
    await once(socket, 'connect');
    socket.write(head);
    socket.write(body);
  }
  const status = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/api/v2/status`).then((response) => response.status);
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(30);
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 503']));
  expect(await status()).toBe(200);
  expect((await keptBytes()) - before).toBeLessThan(
    ROOM_LIMITS.bodies.ofOne + 60 * 256 * 1024 + 64 * MEBIBYTE,
  );
});
