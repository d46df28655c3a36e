import type { Page } from '@playwright/test';

/** How far parts of a page may jump without anybody's doing (Cumulative Layout Shift). */
export const NOT_MOVED = 0.01;

/** Jumps that come this long after the page is asked count too, in milliseconds. */
const SETTLES_MS = 500;

/** How much what is on show has moved since the page began to load, without anybody having done anything. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    (settles) =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            hadRecentInput: boolean;
            value: number;
          })[]) {
            if (!entry.hadRecentInput) sum += entry.value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), settles);
      }),
    SETTLES_MS,
  );
}
