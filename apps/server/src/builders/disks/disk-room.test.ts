import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { BuildError } from '../build-error.ts';
import { DiskRoom } from './disk-room.ts';

const GIB = 1024 ** 3;
const folder = tmpdir();
const free = async (): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};
const never = { signal: new AbortController().signal, onWait: () => undefined };

test('running builds never have more than the disk, and a build that comes gets what they leave', async () => {
  const room = new DiskRoom(folder);
  const all = await free();
  const first = await room.reserve(all / 2, never);
  const second = await room.reserve(all, never);
  expect(first.bytes).toBe(all / 2);
  // Others write to the disk of this machine, too.
  expect(second.bytes).toBeLessThan(all * 0.6);
  expect(second.bytes).toBeGreaterThan(all * 0.3);
});

test('a build waits for one that runs, in its turn, and says so once', async () => {
  const room = new DiskRoom(folder);
  const first = await room.reserve(await free(), never);
  const said: string[] = [];
  const order: string[] = [];
  const wait = (name: string) =>
    room.reserve(GIB, { ...never, onWait: () => said.push(name) }).then((share) => {
      order.push(name);
      return share;
    });
  const waiting = [wait('ada'), wait('bob')];
  await expect.poll(() => said).toEqual(['ada']);
  expect(order).toEqual([]);
  first.giveBack();
  first.giveBack();
  const shares = await Promise.all(waiting);
  expect([order, said]).toEqual([['ada', 'bob'], ['ada']]);
  expect(shares.map(({ bytes }) => bytes)).toEqual([GIB, GIB]);
});

test('what a build has written is no longer set aside for it: the disk has less then', async () => {
  const room = new DiskRoom(folder);
  const all = await free();
  const first = await room.reserve(all, never);
  first.measureBy(async () => first.bytes);
  const second = await room.reserve(GIB, never);
  expect(second.bytes).toBe(GIB);
});

test('whoever waits and is ended keeps nobody waiting', async () => {
  const room = new DiskRoom(folder);
  const first = await room.reserve(await free(), never);
  const ended = new AbortController();
  const gone = room.reserve(GIB, { signal: ended.signal, onWait: () => ended.abort(new Error('ended')) });
  await expect(gone).rejects.toThrow();
  const next = room.reserve(GIB, never);
  first.giveBack();
  expect((await next).bytes).toBe(GIB);
});

test('a build for which there is no room, and nobody who gives some back, does not begin', async () => {
  const room = new DiskRoom('/proc');
  const asked = room.reserve(GIB, never);
  await expect(asked).rejects.toThrow(BuildError);
  await expect(asked).rejects.toThrow('a build begins with 768 MB or more');
});
