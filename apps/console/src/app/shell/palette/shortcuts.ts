import { Listeners, useStore } from '../../../lib/browser/store.ts';
import { GO, goKeys } from './go-keys.ts';

/** What a shortcut asks for. */
type Command = 'palette' | 'shortcuts';

const isMac = (): boolean => navigator.userAgent.includes('Mac OS');

/** The key that goes with K, as this machine's keyboard calls it. */
export function commandKey(): string {
  return isMac() ? '⌘' : 'Ctrl';
}

/** All shortcuts, for people. */
export function shortcutList(): readonly { readonly keys: readonly string[]; readonly does: string }[] {
  return [
    { keys: [commandKey(), 'K'], does: 'Open the command palette' },
    { keys: ['?'], does: 'Show this list' },
    { keys: ['Tab'], does: 'Go to the next control; Shift with it goes back' },
    { keys: ['Left', 'Right'], does: 'Move between tabs' },
    { keys: ['Enter'], does: 'Confirm a dialog or form' },
    { keys: ['Esc'], does: 'Close what is open' },
    ...goKeys.map(({ key, name }) => ({ keys: [GO, key], does: `Go to ${name}` })),
  ];
}

/** Whether a key stroke is meant for what has the focus: a field, or a list in which letters find an entry. */
export function isForFocus(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
      target.closest('[role="menu"], [role="listbox"], [role="combobox"], [role="textbox"]') !== null)
  );
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The command a key stroke stands for; keys without Ctrl or Cmd count only while nothing is being typed. */
export function commandOf({ key, ctrlKey, metaKey, altKey }: Pressed, typing: boolean): Command | undefined {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? 'palette' : undefined;
  return key === '?' && !typing ? 'shortcuts' : undefined;
}

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
