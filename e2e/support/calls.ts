import type { Page, Request } from '@playwright/test';

/** Keeps the page's calls of one method and address ending from now on. */
export function callsOf(page: Page, method: string, ending: string): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === method && pathname.endsWith(ending)) calls.push(request);
  });
  return calls;
}

/** Answers calls with a failure that the running product cannot be brought to. */
export async function failCalls(
  page: Page,
  url: string | RegExp,
  status: number,
  body: object = {},
): Promise<void> {
  await page.route(url, (route) => route.fulfill({ status, json: body }));
}

/** Holds calls back until the returned function lets them, and all later ones, through unchanged. */
export async function holdCalls(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held: Promise<void>[] = [];
  await page.route(url, (route) => {
    // The page may have dropped the call meanwhile.
    const sent = released.then(() => route.continue()).catch(() => undefined);
    held.push(sent);
    return sent;
  });
  return async () => {
    release();
    // The route stays: a call that is let through while its route is taken away may get lost.
    await Promise.all(held);
  };
}

/**
 * Milliseconds from the answer of the first call of a page to one address until its first call to another, by the clock that the timers of
 * the page go by.
 * @param answered how the first address ends
 * @param asked how the second one ends
 */
export function msBetween(page: Page, answered: string, asked: string): Promise<number> {
  return page.evaluate(
    (ends) => {
      const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const [first, second] = ends.map((end) => calls.find(({ name }) => name.endsWith(end)));
      return (second?.startTime ?? Number.NaN) - (first?.responseEnd ?? Number.NaN);
    },
    [answered, asked],
  );
}
