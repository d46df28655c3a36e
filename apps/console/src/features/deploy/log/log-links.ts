import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
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
