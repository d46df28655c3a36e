import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { findChromium } from '../../e2e/support/chromium.ts';

/** The Chromium of the end-to-end tests. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, args, env } = await findChromium(
    fileURLToPath(new URL('../../.cache', import.meta.url)),
  );
  return chromium.launch({ executablePath, args: [...args], env: { ...process.env, ...env } });
}

/** A window with its own cache, signed in with `token`, or signed out without one. */
export async function openWindow(browser: Browser, token?: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (token !== undefined) {
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
  }
  return context;
}
