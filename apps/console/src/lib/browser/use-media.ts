import { useSyncExternalStore } from 'react';

/** Below it the sidebar is a drawer; the style sheet's --breakpoint-md is the same. */
export const BELOW_MEDIUM = '(width < 960px)';

/** Whether a media query holds, re-rendering when that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}
