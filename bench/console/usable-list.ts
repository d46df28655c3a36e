import type { Page } from '@playwright/test';

const FIRST_ROW = 'table[aria-label="Canisters"] tbody a';

/**
 * Opens the canisters page again and answers the milliseconds from the navigation until its first row has been painted
 * and the page has time for a click.
 */
export async function usableMs(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/ics/canisters`, { waitUntil: 'commit' });
  return page.evaluate(
    (row) =>
      new Promise<number>((resolve) => {
        const painted = (): void => {
          // The frame with the row, then the first task after it: nothing is in a click's way any more.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
        };
        const look = (): boolean => document.querySelector(row) !== null;
        if (look()) return painted();
        const observer = new MutationObserver(() => {
          if (!look()) return;
          observer.disconnect();
          painted();
        });
        observer.observe(document, { childList: true, subtree: true });
      }),
    FIRST_ROW,
  );
}
