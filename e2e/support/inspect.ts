import { expect, type Page } from '@playwright/test';
import { expectFits, violationsOf } from './accessibility.ts';

/** Looks at a screen on a phone in the dark theme, then goes back to where it was. */
export async function inspectOnPhone(page: Page, name: string): Promise<void> {
  const theme = (chosen: string) =>
    page.evaluate((to) => {
      document.documentElement.dataset.theme = to;
    }, chosen);
  // One that is about to go covers what is below it, such as the button that closes a dialog.
  const toasts = page.getByRole('region', { name: 'Notifications' }).getByRole('status');
  await expect(toasts).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 900 });
  await theme('dark');
  await expectFits(page, name);
  // All of the page in view: where a bar lies over what scrolls under it depends on the fonts of the machine.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 390, height: Math.max(900, height) });
  expect.soft(await violationsOf(page), name).toEqual([]);
  await theme('default');
  await page.setViewportSize({ width: 1440, height: 900 });
}
