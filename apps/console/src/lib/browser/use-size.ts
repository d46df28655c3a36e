import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

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

/** The width of an element in pixels, kept current; 0 before it is on the page. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    setWidth(watched.clientWidth);
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
