import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Longest event of each interaction so far, in milliseconds, by its id. */
    interactions?: Map<number, number>;
  }
}

/** Below this the browser does not tell of an event, and nobody sees it. */
const SHORTEST_MS = 16;

/** Starts to keep what the Event Timing API tells of each interaction: from the input to the next frame painted. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.evaluate((durationThreshold) => {
    const longest = new Map<number, number>();
    window.interactions = longest;
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[]) {
        if (interactionId > 0)
          longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0));
      }
    }).observe({ type: 'event', durationThreshold } as PerformanceObserverInit);
  }, SHORTEST_MS);
}

/** Milliseconds of the interactions since the last time it was asked, longest first; those too short to tell of count as none. */
export async function takeInteractions(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const taken = [...(window.interactions?.values() ?? [])].toSorted((a, b) => b - a);
    window.interactions?.clear();
    return taken;
  });
}

/** Interaction to Next Paint as defined for the web: the longest one, of every fifty one is left out. */
export function inpOf(longestFirst: readonly number[], count: number): number {
  return longestFirst[Math.floor(count / 50)] ?? SHORTEST_MS;
}
