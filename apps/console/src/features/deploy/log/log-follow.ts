import { type RefObject, type UIEvent, useEffect, useRef, useState } from 'react';

/** Pixels from the bottom within which a view still counts as following. */
const DISTANCE = 24;

export interface Follow {
  readonly isOn: boolean;
  begin(): void;
  letGo(): void;
  onScroll(event: UIEvent): void;
}

/**
 * Holds an element at its bottom while it grows, until someone scrolls up.
 * @param size changes whenever the height of the element or of what it holds does
 */
export function useFollow(element: RefObject<HTMLElement | null>, size: string): Follow {
  const [isOn, setIsOn] = useState(true);
  const lastTop = useRef(0);

  useEffect(() => {
    const { current } = element;
    if (isOn) current?.scrollTo({ top: current.scrollHeight });
  }, [element, isOn, size]);

  return {
    isOn,
    begin: () => setIsOn(true),
    letGo: () => setIsOn(false),
    onScroll({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) {
      // What grows moves its bottom away, and nobody has scrolled; only the way up lets go.
      if (scrollHeight - scrollTop - clientHeight < DISTANCE) setIsOn(true);
      else if (scrollTop < lastTop.current) setIsOn(false);
      lastTop.current = scrollTop;
    },
  };
}
