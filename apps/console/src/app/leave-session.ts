import type { AnyRouter } from '@tanstack/react-router';

/**
 * Leads away from the page of a session that is over, and forgets what the pages of that user were loaded with: the next user may sign in
 * without a page load, and the router shows what it knows until the answer comes.
 * @param lead leads to another page
 */
export async function leaveSession(
  router: Pick<AnyRouter, 'clearCache'>,
  lead: () => Promise<unknown>,
): Promise<void> {
  router.clearCache();
  await lead();
  // The page that was open is kept once it is left.
  router.clearCache();
}
