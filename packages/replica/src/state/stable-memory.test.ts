import { describe, expect, test } from 'vitest';
import { StableMemory } from './stable-memory.ts';

const PAGE = 4096;

/** A page space in memory, written the way a commit writes the store. */
function space() {
  const pages = new Map<number, Uint8Array>();
  return {
    pages,
    read: (first: number, count: number) => {
      const into = new Uint8Array(count * PAGE);
      for (let i = 0; i < count; i++) {
        const page = pages.get(first + i);
        if (page) into.set(page, i * PAGE);
      }
      return into;
    },
    save(memory: StableMemory) {
      for (const index of memory.dirtyPages()) pages.set(index, memory.page(index).slice());
      memory.commit();
    },
  };
}

describe('stable memory', () => {
  test('reads back what was written across page and piece borders', () => {
    const memory = new StableMemory(0, space().read);
    expect(memory.grow(10)).toBe(0);
    const data = Uint8Array.from({ length: 20_000 }, (_, i) => i % 251);
    expect(memory.write(256 * 1024 - 7_000, data)).toBe(6);
    expect(memory.read(256 * 1024 - 7_000, data.length)).toEqual(data);
    expect(memory.read(0, 4)).toEqual(new Uint8Array(4));
  });

  test('a rollback restores bytes and size', () => {
    const memory = new StableMemory(1, space().read);
    memory.write(10, Uint8Array.of(1, 2, 3));
    memory.commit();
    memory.grow(5);
    memory.write(9, Uint8Array.of(9, 9, 9));
    memory.write(65_536 * 4, Uint8Array.of(7));
    memory.rollback();
    expect(memory.pages).toBe(1);
    expect(memory.read(9, 4)).toEqual(Uint8Array.of(0, 1, 2, 3));
    memory.grow(5);
    expect(memory.read(65_536 * 4, 1)).toEqual(Uint8Array.of(0));
  });

  test('a new instance sees the committed pages only', () => {
    const disk = space();
    const memory = new StableMemory(0, disk.read);
    memory.grow(8);
    memory.write(PAGE * 70 + 5, Uint8Array.of(42));
    disk.save(memory);
    memory.write(PAGE * 70 + 6, Uint8Array.of(43));
    const reopened = new StableMemory(8, disk.read);
    expect(reopened.read(PAGE * 70 + 5, 2)).toEqual(Uint8Array.of(42, 0));
  });

  test('growing to gigabytes takes no memory, and the limit holds', () => {
    const memory = new StableMemory(0, space().read);
    expect(memory.grow(8_192_000)).toBe(0);
    expect(memory.residentBytes).toBe(0);
    const last = 500 * 1024 ** 3 - 1;
    memory.write(last, Uint8Array.of(5));
    expect(memory.read(last, 1)).toEqual(Uint8Array.of(5));
    expect(memory.residentBytes).toBe(64 * 1024);
    expect(memory.grow(1)).toBe(-1);
  });

  test('unchanged pieces make room for others, changed ones stay', () => {
    const disk = space();
    const memory = new StableMemory(0, disk.read);
    memory.grow(5_000);
    memory.write(10 * 65_536, Uint8Array.of(11));
    disk.save(memory);
    memory.write(20 * 65_536, Uint8Array.of(12));
    for (let page = 0; page < 5_000; page++) memory.read(page * 65_536, 1);
    expect(memory.residentBytes).toBeLessThanOrEqual(1_025 * 65_536);
    expect([memory.read(10 * 65_536, 1)[0], memory.read(20 * 65_536, 1)[0]]).toEqual([11, 12]);
    memory.rollback();
    expect(memory.read(20 * 65_536, 1)[0]).toBe(0);
  });

  test('one message may change a limited number of pieces', () => {
    const memory = new StableMemory(0, space().read);
    memory.grow(10);
    memory.write(0, Uint8Array.of(1));
    expect(memory.mayWrite(65_536, 65_536, 2)).toBe(true);
    expect(memory.mayWrite(65_536, 65_537, 2)).toBe(false);
    expect(memory.mayWrite(0, 65_536 + 1, 2)).toBe(true);
    memory.commit();
    expect(memory.mayWrite(65_536, 65_537, 2)).toBe(true);
  });
});
