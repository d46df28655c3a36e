import type { Page } from '@playwright/test';

/**
 * Keeps from now on what the page's scripts throw, what they log as errors and what its content policy blocks; the
 * function it gives answers all of it.
 */
export async function watchPage(page: Page): Promise<() => readonly string[]> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports refused requests, such as those for a canister that is not there.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  await page.exposeFunction('reportViolation', (text: string) => problems.push(text));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      void (globalThis as unknown as { reportViolation(text: string): unknown }).reportViolation(
        `${violatedDirective} ${blockedURI}`,
      );
    });
  });
  return () => problems;
}

/**
 * Keeps from now on what the texts of `hostile-lines.ts` reach where they are taken for more than texts: a function that
 * runs, a dialog, another window, a request to their host.
 */
export async function watchForHarm(page: Page): Promise<readonly string[]> {
  const reached: string[] = [];
  await page.exposeFunction('pwned', (what: unknown) => reached.push(`ran ${String(what)}`));
  page.on('dialog', (dialog) => {
    reached.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => reached.push(`popup ${popup.url()}`));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname.endsWith('example.org')) reached.push(`request ${request.url()}`);
  });
  return reached;
}
