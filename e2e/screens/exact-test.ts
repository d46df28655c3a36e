import { type Locator, type Page, test as base } from '@playwright/test';
import { ExactService } from './exact-service.ts';

/** The built console, served by a service that knows the specification and nothing of ours. */
export const test = base.extend<{ service: ExactService }>({
  service: async ({ page }, use) => {
    await using service = await ExactService.start();
    await page.addInitScript(() => localStorage.setItem('token', 'a-bearer-token'));
    await use(service);
  },
});

export const wasm = {
  name: 'shop.wasm',
  mimeType: 'application/wasm',
  buffer: Buffer.from('\0asm\x01\0\0\0'),
};

export function toast(page: Page, text: string): Locator {
  return page.getByText(text, { exact: true }).first();
}
