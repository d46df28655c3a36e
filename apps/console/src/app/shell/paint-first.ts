import type { AnyRouter } from '@tanstack/react-router';
import { afterNextFrame } from '../../lib/browser/next-frame.ts';

interface Place {
  readonly pathname: string;
  readonly search: { readonly tab?: unknown };
}

/** Whether another page is shown, or another tab of it. */
function isElsewhere(to: Place, from: Place): boolean {
  return to.pathname !== from.pathname || to.search.tab !== from.search.tab;
}

/**
 * Lets a click that leads to another page or tab show that it was noticed, before that is worked out: what has long lists takes the time
 * of several frames, and is drawn in one go. What stays where it is goes on at once. @returns what ends that
 */
export function paintBeforePages(router: AnyRouter): () => void {
  const { navigate } = router;
  router.navigate = async (options) => {
    // The same options, less what is about the history.
    const target = options as Parameters<AnyRouter['buildLocation']>[0];
    const leaves =
      options.href === undefined && isElsewhere(router.buildLocation(target), router.latestLocation);
    if (leaves) await new Promise<void>((resolve) => afterNextFrame(resolve));
    return navigate(options);
  };
  return () => {
    router.navigate = navigate;
  };
}
