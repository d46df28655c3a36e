import { Box } from 'lucide-react';
import { expect, test } from 'vitest';
import type { Destination, PaletteEntry } from './entries.ts';
import { paletteGroups } from './find-entries.ts';
import type { Doer } from './deeds.ts';
import { shelfOf } from './shelf.ts';

interface Can {
  readonly id: string;
  readonly name: string;
  readonly runs?: boolean;
}

const done: unknown[] = [];
const doer: Doer = {
  go: (to) => done.push(to),
  visit: (address) => done.push(address),
  ask: (dialog) => done.push(dialog),
};

const place = (group: PaletteEntry['group'], label: string, words = ''): PaletteEntry => ({
  id: label,
  group,
  label,
  words,
  Icon: Box,
  run: () => done.push(label),
});
const fixed = [place('Actions', 'Sign out', 'log off leave'), place('Pages', 'Canisters')];
const cans: readonly Can[] = [
  { id: 'rrkah-fqaaa-aaaaa-aaaaq-cai', name: 'old counter' },
  { id: 'ryjl3-tyaaa-aaaaa-aaaba-cai', name: 'Counter', runs: true },
];
const toCan = (id: string): { readonly to: Destination } => ({ to: { to: '/can/$id', params: { id } } });
const shelfOfCans = (things: readonly Can[]) =>
  shelfOf<Can>({
    kind: 'can',
    group: 'Canisters',
    things,
    Icon: Box,
    describe: ({ id, name }) => ({ id, name, note: id }),
    opens: ({ id }) => toCan(id),
    verbs: [
      {
        key: 'stop',
        before: 'Stop',
        words: 'halt',
        Icon: Box,
        does: ({ id, runs }) => (runs ? { visit: `https://${id}/stop` } : undefined),
      },
      { key: 'top-up', before: 'Top up', words: 'add cycles', Icon: Box, does: ({ id }) => toCan(id) },
    ],
    doer,
  });
const groupsOf = (text: string, recent: string[] = [], open?: string, things = cans) =>
  paletteGroups({ fixed, shelves: [shelfOfCans(things)] }, text, recent, open);
const found = (...asked: Parameters<typeof groupsOf>): Record<string, string[]> =>
  Object.fromEntries(
    groupsOf(...asked).map((group) => [group.name, group.entries.map(({ label }) => label)]),
  );
const [old, counter] = cans.map(({ id }) => `can:${id}`) as [string, string];

test('without a text everything is in its group, pages first, and nothing is to be done', () => {
  expect(found('')).toEqual({
    Pages: ['Canisters'],
    Canisters: ['old counter', 'Counter'],
    Actions: ['Sign out'],
  });
});

test('what was used last comes first, once', () => {
  expect(found('', [counter, 'gone'])).toEqual({
    Recent: ['Counter'],
    Pages: ['Canisters'],
    Canisters: ['old counter'],
    Actions: ['Sign out'],
  });
});

test('a text finds names, ids and other words, the best fit of a group first', () => {
  expect(found('COUNT')).toEqual({ Canisters: ['Counter', 'old counter'] });
  expect(found('ryjl3')).toEqual({ Canisters: ['Counter'] });
  expect(found('leave')).toEqual({ Actions: ['Sign out'] });
  expect(found('counter rrkah')).toEqual({ Canisters: ['old counter'] });
  expect(found('nothing')).toEqual({});
});

test('what is open is not among what was used last; of what fits alike that comes first', () => {
  expect(groupsOf('', [counter, old], counter)[0]).toMatchObject({
    name: 'Recent',
    entries: [{ label: 'old counter' }],
  });
  expect(found('cai', [counter])).toEqual({ Canisters: ['Counter', 'old counter'] });
  expect(found('cai')).toEqual({ Canisters: ['old counter', 'Counter'] });
});

test('a verb is offered with the things that the other words are of, where it can be done', () => {
  expect(found('top up old')).toEqual({ Do: ['Top up old counter'] });
  expect(found('counter add cycles')).toEqual({ Do: ['Top up Counter', 'Top up old counter'] });
  expect(found('stop')).toEqual({ Do: ['Stop Counter'] });
  expect(found('halt the counter')).toEqual({ Do: ['Stop Counter'] });
  expect(found('stop old')).toEqual({});
  expect(found('top up counter', [], counter), 'what is open has its actions elsewhere').toEqual({
    Do: ['Top up old counter'],
  });
  expect(found('top up', [], undefined, [{ id: 'a', name: 'Top up station' }])).toEqual({
    Do: ['Top up Top up station'],
    Canisters: ['Top up station'],
  });
  expect(found('s'), 'one letter asks for nothing').not.toHaveProperty('Do');
});

test('a verb is carried out with the thing that it names, which is what is remembered', () => {
  done.length = 0;
  const [stop] = groupsOf('stop counter').flatMap(({ entries }) => entries);
  stop?.run();
  expect(done).toEqual(['https://ryjl3-tyaaa-aaaaa-aaaba-cai/stop']);
  expect(stop).toMatchObject({ thing: counter, name: 'Counter' });
});

test('names are texts and no patterns, however they are written', () => {
  const names = ['.*', '(a+)+$', '<img src=x>', '‮kcolb', '__proto__', 'Ｗｉｄｅ', 'x'.repeat(100_000)];
  const things = names.map((name, place) => ({ id: `c${place}`, name }));
  expect(found('.*', [], undefined, things)).toEqual({ Canisters: ['.*'] });
  expect(found('(a+)+$', [], undefined, things)).toEqual({ Canisters: ['(a+)+$'] });
  expect(found('<img', [], undefined, things)).toEqual({ Canisters: ['<img src=x>'] });
  expect(found('__proto__', [], undefined, things)).toEqual({ Canisters: ['__proto__'] });
  expect(found('wide', [], undefined, things)).toEqual({ Canisters: ['Ｗｉｄｅ'] });
  const [long] = groupsOf('xxxx', [], undefined, things).flatMap(({ entries }) => entries);
  expect(long?.label.length).toBeLessThan(300);
});

test('a search works nothing out again: not what was prepared, nor rows that come again in another list', () => {
  let described = 0;
  const many = Array.from({ length: 1_200 }, (_, at) => ({ id: `id-${at}`, name: `service ${at}` }));
  const shelf = (things: readonly Can[]) =>
    shelfOf<Can>({
      kind: 'counted',
      group: 'Canisters',
      things,
      Icon: Box,
      describe: ({ id, name }) => {
        described += 1;
        return { id, name };
      },
      opens: ({ id }) => toCan(id),
      doer,
    });
  const first = shelf(many);
  const steps = [...first.prepare()].length;
  expect([steps, described]).toEqual([3, 1_200]);
  const names = (found: readonly PaletteEntry[]) => found.map(({ label }) => label);
  expect(names(first.find(['1199'], { recent: [], most: 5 }))).toEqual(['service 1199']);
  const renamed = [...many.slice(0, -1), { id: 'id-1199', name: 'bakery' }];
  expect(names(shelf(renamed).find(['bakery'], { recent: [], most: 5 }))).toEqual(['bakery']);
  // The one that is new, and what is shown of both that were found.
  expect(described).toBe(1_200 + 1 + 2);
});

test('each key takes less than 50 ms of computing among 10,000 canisters, and the list stays short', () => {
  const many = Array.from({ length: 10_000 }, (_, place) => ({
    id: `${place.toString(36).padStart(5, 'a')}-aaaaa-aaaaa-aaaaq-cai`,
    name: `service ${place} of the shop`,
    runs: place % 2 === 0,
  }));
  const shelves = [shelfOfCans(many)];
  const recent = [`can:${many[9_000]?.id}`];
  paletteGroups({ fixed, shelves }, '', recent);
  const times: number[] = [];
  for (const text of ['stop service 9999', 'aaaaa', 'nothing like it', 'top up shop 42']) {
    for (let length = 1; length <= text.length; length += 1) {
      const begun = process.threadCpuUsage();
      const groups = paletteGroups({ fixed, shelves }, text.slice(0, length), recent);
      const { user, system } = process.threadCpuUsage(begun);
      times.push((user + system) / 1000);
      expect(groups.flatMap(({ entries }) => entries).length).toBeLessThan(25);
    }
  }
  times.sort((a, b) => a - b);
  // Of the thread, so that nobody else's work counts; the slowest may have met a collection of garbage.
  expect(times[Math.floor(times.length * 0.9)]).toBeLessThan(50);
});
