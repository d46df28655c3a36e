import { type UIEvent, useState } from 'react';

/** Laying out more characters than this at once would hold up the page. */
const PART = 100_000;
/** This many pixels before the end of what is there the next part comes. */
const AHEAD = 1_000;

/** As much of a long text as has been scrolled to, for a box that scrolls. */
export function useGrowingText(text: string) {
  const [length, setLength] = useState(PART);
  return {
    shown: text.slice(0, length),
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>): void => {
      const { scrollHeight, scrollTop, clientHeight } = currentTarget;
      if (length < text.length && scrollHeight - scrollTop - clientHeight < AHEAD) setLength(length + PART);
    },
  };
}
