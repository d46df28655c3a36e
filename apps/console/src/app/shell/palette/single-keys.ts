import { useSyncExternalStore } from 'react';

const KEY = 'single-keys';
const listeners = new Set<() => void>();

/** Whether keys without Ctrl or Cmd are shortcuts; people who dictate or slip switch that off (WCAG 2.1.4). */
export const singleKeys = {
  read: (): boolean => localStorage.getItem(KEY) !== 'off',
  write(on: boolean): void {
    localStorage.setItem(KEY, on ? 'on' : 'off');
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useSingleKeys(): boolean {
  return useSyncExternalStore(singleKeys.subscribe, singleKeys.read);
}
