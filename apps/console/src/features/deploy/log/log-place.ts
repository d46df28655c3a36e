import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { type RefObject, type UIEvent, useCallback, useEffect, useRef, useState } from 'react';
import { paths } from '../../../config/paths.ts';

interface LineLinks {
  /** Number of the line of this log that the page's address names. */
  readonly target: number | undefined;
  hrefOf(number: number): string;
  /** Makes the page's address name a line. */
  readonly open: (number: number) => void;
}

/** Addresses of the lines of a run's log, such as `/ics/deploy/1/runs/2#L12`. */
export function useLineLinks(id: string, runId: string): LineLinks {
  const navigate = useNavigate();
  const named = useParams({ strict: false }).runId;
  const hash = useLocation({ select: (location) => location.hash });
  const number = /^L(\d{1,9})$/.exec(hash)?.[1];
  const page = paths.deployRun
    .replace('$id', encodeURIComponent(id))
    .replace('$runId', encodeURIComponent(runId));
  const open = useCallback(
    (line: number) =>
      void navigate({
        to: paths.deployRun,
        params: { id, runId },
        hash: `L${line}`,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate, id, runId],
  );
  return {
    target: named === runId && number !== undefined && number !== '0' ? Number(number) : undefined,
    hrefOf: (line) => `${page}#L${line}`,
    open,
  };
}

/** Pixels from the bottom within which a view still counts as following. */
const DISTANCE = 24;

interface Follow {
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
