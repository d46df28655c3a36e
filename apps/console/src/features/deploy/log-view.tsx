import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { logLines } from '../../lib/ansi.ts';
import { LogLine } from './log-line.tsx';

const LINE_HEIGHT = 20;
/** Pixels from the bottom within which the view still counts as following. */
const FOLLOW_DISTANCE = 24;

interface LogViewProps {
  readonly log: string;
  /** Shown while the log has no line. */
  readonly waiting: string;
}

/** A build log: dark, half the window high, held at its bottom until someone scrolls up. */
export function LogView({ log, waiting }: LogViewProps) {
  const lines = useMemo(() => logLines(log), [log]);
  const scroller = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  // oxlint-disable-next-line react/incompatible-library -- its functions are read on every render and never handed on.
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  const height = virtualizer.getTotalSize();
  const viewHeight = virtualizer.scrollRect?.height;

  useEffect(() => {
    const element = scroller.current;
    if (following && element) element.scrollTop = element.scrollHeight;
  }, [following, height, viewHeight]);

  return (
    <div className="relative">
      <div
        ref={scroller}
        role="log"
        aria-label="Build log"
        aria-live="off"
        // Focusable, so that the keyboard can scroll it.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE)
        }
        className="h-[50vh] overflow-y-auto bg-log py-3 font-mono text-[12.5px] leading-5 text-log-ink outline-offset-[-2px]"
      >
        {lines.length === 0 && <p className="px-4 text-log-muted">{waiting}</p>}
        <div className="relative" style={{ height }}>
          {virtualizer.getVirtualItems().map((item) => (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LogLine line={lines[item.index] ?? ''} number={item.index + 1} />
            </div>
          ))}
        </div>
      </div>
      {lines.length > 0 && (
        <div className="absolute top-2 right-4 rounded-control bg-log-line [&_button]:text-log-ink">
          <CopyButton text={log} label="Copy log" />
        </div>
      )}
      {!following && (
        <button
          type="button"
          onClick={() => setFollowing(true)}
          className="absolute bottom-4 left-1/2 inline-flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full bg-accent px-3.5 text-sm font-medium text-on-accent shadow-float"
        >
          <ArrowDown className="size-4" aria-hidden="true" />
          Follow the log
        </button>
      )}
    </div>
  );
}
