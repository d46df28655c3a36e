import { Listeners } from './store.ts';

/** How often a page looks at the clock, in milliseconds. */
const LOOK_MS = 2_000;
/** A page that has not looked for so long has slept, in milliseconds: a busy one is late by less, and one that nobody sees looks rarely. */
const SLEPT_MS = 15_000;

const listeners = new Listeners();
let timer: ReturnType<typeof setInterval> | undefined;
let lookedAt = 0;

function tell(): void {
  lookedAt = Date.now();
  listeners.tell();
}

/** The computer has slept, or the browser had put the page to sleep. */
function look(): void {
  const slept = Date.now() - lookedAt > SLEPT_MS;
  lookedAt = Date.now();
  // A page that nobody sees is told as soon as it is seen, by `visibilitychange`.
  if (slept && document.visibilityState === 'visible') tell();
}

/** A page that the browser has kept for 'Back', as it was. */
function onShow({ persisted }: PageTransitionEvent): void {
  if (persisted) tell();
}

/**
 * Calls back when this page, which somebody sees, goes on after it was asleep: what it holds is old, and its connections may be dead
 * without a word. Pages that were hidden and awake hear of `visibilitychange` alone.
 * @returns what ends it
 */
export function onWake(listener: () => void): () => void {
  const leave = listeners.subscribe(listener);
  if (timer === undefined) {
    lookedAt = Date.now();
    timer = setInterval(look, LOOK_MS);
    document.addEventListener('resume', tell);
    window.addEventListener('pageshow', onShow);
  }
  return () => {
    leave();
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('resume', tell);
    window.removeEventListener('pageshow', onShow);
  };
}
