import type { Page } from '@playwright/test';
import { expect } from './product.ts';

/**
 * The address of the tab that something opens, which is closed again. It is asked of the browser: of a tab that a link opens in the background
 * (Ctrl and click) Playwright 1.65 reports no page in some runs, however long one waits, while the browser has it.
 */
export async function addressOfTab(page: Page, opens: () => Promise<void>): Promise<string> {
  const browser = await page.context().newCDPSession(page);
  const tabs = async () => {
    const { targetInfos } = await browser.send('Target.getTargets');
    return targetInfos.filter(({ type }) => type === 'page');
  };
  const before = new Set((await tabs()).map(({ targetId }) => targetId));
  await opens();
  let address = '';
  await expect(async () => {
    const tab = (await tabs()).find(({ targetId, url }) => !before.has(targetId) && url.startsWith('http'));
    expect(tab, 'a tab is opened').toBeDefined();
    address = tab?.url ?? '';
    await browser.send('Target.closeTarget', { targetId: tab?.targetId ?? '' });
  }).toPass({ timeout: 30_000 });
  await browser.detach();
  return address;
}
