import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastStore } from './toast-store.ts';
import { type ToastName, toastTable } from './toast-table.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const names = Object.keys(toastTable) as ToastName[];

/** Milliseconds of NAV-29, NAV-30 and OP-13, by what a toast is about. */
function specified(name: ToastName): number {
  const [about] = name.split(': ');
  if (
    /^(module: (not )?installed|dapp: (not installed|installed|upgraded|went back)|snapshot: .*)$/.test(name)
  )
    return 3000;
  switch (about) {
    case 'canister':
    case 'canisters':
    case 'deploy':
      return 2000;
    case 'drawer':
      return 3000;
    default:
      return 4000;
  }
}

function tell(toasts: ToastStore, name: ToastName): void {
  // The table says which of them takes a text.
  (toasts.tell as (name: ToastName, said: { text?: string }) => void).call(
    toasts,
    name,
    toastTable[name].text === null ? { text: 'What happened' } : {},
  );
}

test.each(names)('[NAV-29] [NAV-30] the toast "%s" stays for its time and not a moment longer', (name) => {
  const toasts = new ToastStore();
  tell(toasts, name);
  const [entry] = toasts.get();
  expect(entry?.text).toBe(toastTable[name].text ?? 'What happened');
  vi.advanceTimersByTime(specified(name) - 1);
  expect(toasts.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.get()).toEqual([]);
});

test('every toast of the table is raised somewhere, and none in another way', () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|toast-(store|table)\.ts$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const all = sources.join('\n');
  const unused = names.filter((name) => {
    const [place, what] = name.split(': ');
    const byPlace = (place === 'canister' || place === 'drawer') && all.includes(`\`\${place}: ${what}\``);
    return !byPlace && !all.includes(`'${name}'`);
  });
  expect(unused).toEqual([]);
  expect(all).not.toMatch(/new ToastStore|from '.*toaster\.tsx'.*Toast\b(?!er)/);
});

test('at most three toasts show, the oldest goes first', () => {
  const toasts = new ToastStore();
  for (const text of ['one', 'two', 'three', 'four']) toasts.tell('product: deleted', { text });
  expect(toasts.get().map(({ text }) => text)).toEqual(['two', 'three', 'four']);
});

test('a toast that is held stays, and has its whole time again when it is released', () => {
  const toasts = new ToastStore();
  toasts.tell('product: not saved', { text: 'No', hint: 'Try again.' });
  const id = toasts.get()[0]?.id ?? 0;
  vi.advanceTimersByTime(3999);
  toasts.hold(id);
  vi.advanceTimersByTime(60_000);
  expect(toasts.get()).toHaveLength(1);
  toasts.release(id);
  vi.advanceTimersByTime(3999);
  expect(toasts.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.get()).toEqual([]);
});

test('watchers are told of a new toast and of one that goes', () => {
  const toasts = new ToastStore();
  const counts: number[] = [];
  const stop = toasts.subscribe(() => counts.push(toasts.get().length));
  toasts.tell('product: created');
  toasts.dismiss(toasts.get()[0]?.id ?? 0);
  stop();
  toasts.tell('product: saved');
  expect(counts).toEqual([1, 0]);
});
