import type { Page, Request } from '@playwright/test';

/** Nothing is asked for during a number of milliseconds. */
const QUIET_MS = 500;
const PATIENCE_MS = 30_000;

const underWay = new WeakMap<Page, Set<Request>>();
const lastMoved = new WeakMap<Page, number>();

/** A stream that stays open as long as its page, as the news of what changes do, is no answer to wait for. */
const isWaitedFor = (request: Request): boolean => new URL(request.url()).pathname !== '/api/live';

/** Notes from now on what a page asks for, for {@link untilQuiet}. */
export function noteRequests(page: Page): void {
  const open = new Set<Request>();
  underWay.set(page, open);
  const move = (): void => {
    lastMoved.set(page, Date.now());
  };
  page.on('request', (request) => {
    if (!isWaitedFor(request)) return;
    open.add(request);
    move();
  });
  const end = (request: Request): void => {
    if (open.delete(request)) move();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
}

/** Waits until the page has all its answers and asks for nothing more, as 'networkidle' does for a page without a stream. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  const open = underWay.get(page);
  if (open === undefined) throw new Error('The requests of this page are not noted.');
  const from = Date.now();
  while (open.size > 0 || Date.now() - Math.max(from, lastMoved.get(page) ?? 0) < QUIET_MS) {
    if (Date.now() - from > PATIENCE_MS)
      throw new Error(`The page still waits: ${[...open].map((request) => request.url()).join(', ')}`);
    await page.waitForTimeout(50);
  }
}
