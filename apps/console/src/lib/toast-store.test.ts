import { expect, test } from 'vitest';
import { toastDurations, ToastStore } from './toast-store.ts';

test('[NAV-29] a toast stays 4 s unless its screen sets another duration', () => {
  const toasts = new ToastStore();
  toasts.success('Saved');
  toasts.error('Copied', { duration: toastDurations.deploy });
  expect(toasts.entries().map(({ duration }) => duration)).toEqual([4000, 2000]);
});

test('[NAV-30] canister and deploy screens 2 s, installs and the drawer 3 s', () => {
  expect(toastDurations).toEqual({
    default: 4000,
    canister: 2000,
    deploy: 2000,
    install: 3000,
    snackbar: 3000,
  });
});

test('at most three toasts show, the oldest goes first', () => {
  const toasts = new ToastStore();
  for (const text of ['one', 'two', 'three', 'four']) toasts.info(text);
  expect(toasts.entries().map(({ text }) => text)).toEqual(['two', 'three', 'four']);
});

test('watchers are told of a new toast and of one that goes', () => {
  const toasts = new ToastStore();
  const counts: number[] = [];
  const stop = toasts.subscribe(() => counts.push(toasts.entries().length));
  toasts.success('one');
  toasts.dismiss(toasts.entries()[0]?.id ?? 0);
  stop();
  toasts.success('unseen');
  expect(counts).toEqual([1, 0]);
});
