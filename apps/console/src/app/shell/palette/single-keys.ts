import { Listeners, useStore } from '../../../lib/browser/store.ts';

const KEY = 'single-keys';
const listeners = new Listeners();

/** Whether keys without Ctrl or Cmd are shortcuts; people who dictate or slip switch that off (WCAG 2.1.4). */
export const singleKeys = {
  get: (): boolean => localStorage.getItem(KEY) !== 'off',
  set(on: boolean): void {
    localStorage.setItem(KEY, on ? 'on' : 'off');
    listeners.tell();
  },
  subscribe: listeners.subscribe,
};

export function useSingleKeys(): boolean {
  return useStore(singleKeys);
}
