import { useState } from 'react';

/** How long something is waited for that a page is about to show, milliseconds. */
const PATIENCE_MS = 3000;

/**
 * Gives the focus to something that has just been made, as soon as the page shows it and the dialog that made it has gone. Whoever has
 * pressed a key or a button meanwhile keeps the focus where it is.
 * @param find what is to have it, where it is there already
 */
export function focusWhenThere(find: () => HTMLElement | null): void {
  const until = performance.now() + PATIENCE_MS;
  const moved = new AbortController();
  const stop = (): void => moved.abort();
  for (const name of ['keydown', 'pointerdown'] as const) {
    document.addEventListener(name, stop, { signal: moved.signal, capture: true });
  }
  const attempt = (): void => {
    if (moved.signal.aborted || performance.now() > until) return stop();
    const found = find();
    // Behind a dialog that is closing nothing takes the focus.
    found?.focus();
    if (found !== null && document.activeElement === found) return stop();
    requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

/** Where the focus goes when a dialog closes: to what it has made, else back to where it was. */
class FocusOfNew {
  #isTaken = false;

  /** For `givesBack` of the dialog. */
  readonly givesBack = (): boolean => !this.#isTaken;

  /** Before the dialog makes anything, and when it is left. */
  begin(): void {
    this.#isTaken = false;
  }

  /** Gives the focus to what was made (`focusWhenThere`). */
  take(find: () => HTMLElement | null): void {
    this.#isTaken = true;
    focusWhenThere(find);
  }
}

export function useFocusOfNew(): FocusOfNew {
  return useState(() => new FocusOfNew())[0];
}

/** Where a canister stands in the list on the page: the link or the card that opens it, else what is offered for a new one. */
export function findListed(canisterId: string): HTMLElement | null {
  const content = document.getElementById('content');
  const id = CSS.escape(canisterId);
  return (
    content?.querySelector<HTMLElement>(`a[href$="/ics/canister/${id}"], button[data-canister="${id}"]`) ??
    findOffer()
  );
}

/** What is offered for a canister that was just created. */
function findOffer(): HTMLElement | null {
  return document.querySelector<HTMLElement>('section[aria-label="New canister"] :is(button, a)');
}

/** What says what a canister has after an installation; null where the page does not say it. */
export function findInstalled(canisterId: string): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>(`[data-code-of="${CSS.escape(canisterId)}"]`) ??
    document.querySelector<HTMLElement>('section[aria-label="New canister"] a')
  );
}
