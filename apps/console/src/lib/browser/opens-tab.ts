import type { MouseEvent } from 'react';

/** Whether a click asks for another tab, as browsers open links: with Ctrl, or Cmd on a Mac. */
export function opensTab({ ctrlKey, metaKey }: Pick<MouseEvent, 'ctrlKey' | 'metaKey'>): boolean {
  return ctrlKey || metaKey;
}
