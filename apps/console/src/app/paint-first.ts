import type { AnyRouter } from '@tanstack/react-router';

/** Longest wait for a frame in milliseconds: a window that is covered gets none. */
const FRAME_MS = 100;

/** Resolves when the browser has painted what came of the last click or key. */
async function nextFrame(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, FRAME_MS);
    // What is painted is decided in the first frame; the second begins when the screen has it, also where the processor draws.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        setTimeout(() => {
          clearTimeout(late);
          resolve();
        });
      }),
    );
  });
}

/**
 * Lets a click that leads to another page show that it was noticed, before that page is worked out: a page with long lists takes the
 * time of several frames, and is drawn in one go. What stays on its page goes on at once.
 */
export function paintBeforePages(router: AnyRouter): void {
  const { navigate } = router;
  router.navigate = async (options) => {
    // The same options, less what is about the history.
    const target = options as Parameters<AnyRouter['buildLocation']>[0];
    const leaves =
      options.href === undefined && router.buildLocation(target).pathname !== router.latestLocation.pathname;
    if (leaves) await nextFrame();
    return navigate(options);
  };
}
