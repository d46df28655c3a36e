import type { Page } from '@playwright/test';

/**
 * Waits until a form that refused what it holds has focused the first mistake for the second time, which it does in a
 * timer. Typed before, text can reach that field in place of the one it was meant for.
 */
export async function refusalIsOver(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}
