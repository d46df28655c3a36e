import { gzipSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import { openWindow } from './browser.ts';

const GZIP_LEVEL = 9;

/** What a window without a cache fetches to show an address. */
export interface FirstLoad {
  /** All JavaScript, gzipped; the product sends Brotli where a browser takes it, which is less. */
  readonly scriptBytes: number;
  readonly scripts: number;
  /** Everything, the page itself, styles, fonts and calls included. */
  readonly requests: number;
}

/** Loads `address` in a fresh window until nothing is fetched any more. */
export async function firstLoad(browser: Browser, address: string): Promise<FirstLoad> {
  const context = await openWindow(browser);
  try {
    const page = await context.newPage();
    let requests = 0;
    const scripts: Promise<number>[] = [];
    page.on('response', (response) => {
      requests += 1;
      if (/javascript/.test(response.headers()['content-type'] ?? '')) {
        scripts.push(response.body().then((body) => gzipSync(body, { level: GZIP_LEVEL }).length));
      }
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    const sizes = await Promise.all(scripts);
    return { scriptBytes: sizes.reduce((sum, size) => sum + size, 0), scripts: sizes.length, requests };
  } finally {
    await context.close();
  }
}
