import type { AnyRouter } from '@tanstack/react-router';

/**
 * Forgets what the pages of a user whose session is over were loaded with: the next user may sign in without a page load, and the router
 * shows what it knows until the answer comes.
 * @param leaving the way to another page, which the router keeps the open one for
 */
export async function forgetLoaded(router: Pick<AnyRouter, 'clearCache'>, leaving: unknown): Promise<void> {
  await leaving;
  router.clearCache();
}
