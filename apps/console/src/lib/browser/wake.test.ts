import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onWake } from './wake.ts';

/** A page, as far as waking up is about it. */
class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
}

let page: Page;
let view: EventTarget;
beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  view = new EventTarget();
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', view);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The clock goes on while no timer of the page does. */
function sleep(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
  vi.advanceTimersByTime(2_000);
}

test('a page that was asleep is told once, one that is awake or only slow is not', () => {
  const woken = vi.fn();
  const stop = onWake(woken);
  vi.advanceTimersByTime(120_000);
  sleep(5_000);
  expect(woken).toHaveBeenCalledTimes(0);
  sleep(60_000);
  expect(woken).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(120_000);
  expect(woken).toHaveBeenCalledTimes(1);
  stop();
  sleep(60_000);
  expect(woken).toHaveBeenCalledTimes(1);
});

test('a page that nobody sees hears nothing of its sleep', () => {
  const woken = vi.fn();
  const stop = onWake(woken);
  page.visibilityState = 'hidden';
  sleep(600_000);
  page.visibilityState = 'visible';
  vi.advanceTimersByTime(10_000);
  expect(woken).toHaveBeenCalledTimes(0);
  stop();
});

test('so is a page that the browser had frozen, or kept for Back', () => {
  const woken = vi.fn();
  const stop = onWake(woken);
  page.dispatchEvent(new Event('resume'));
  view.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(woken).toHaveBeenCalledTimes(1);
  view.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(woken).toHaveBeenCalledTimes(2);
  stop();
  page.dispatchEvent(new Event('resume'));
  expect(woken).toHaveBeenCalledTimes(2);
});
