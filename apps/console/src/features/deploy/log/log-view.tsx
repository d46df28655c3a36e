import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { LogLine, type LineLook } from './log-line.tsx';
import { findLines, type LogSnapshot } from './log-model.ts';
import { LogTools } from './log-tools.tsx';
import { useFollow, useLineLinks } from './log-place.ts';

const LINE_HEIGHT = 20;

interface LogViewProps {
  readonly log: LogSnapshot;
  readonly deployId: string;
  readonly runId: string;
  /** Shown while the log has no line. */
  readonly waiting: string;
}

/** A build log: dark, half the window high, held at its bottom until someone scrolls up or goes to a line. */
export function LogView({ log, deployId, runId, waiting }: LogViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const [wraps, setWraps] = useState(true);
  const [showsTime, setShowsTime] = useState(false);
  const [current, setCurrent] = useState<number>();
  const links = useLineLinks(deployId, runId);
  const found = useMemo(() => findLines(log, search), [log, search]);
  const look = useMemo<LineLook>(() => ({ wraps, showsTime, search }), [wraps, showsTime, search]);
  // oxlint-disable-next-line react/incompatible-library -- its functions are read on every render and never handed on.
  const virtualizer = useVirtualizer({
    count: log.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  const height = virtualizer.getTotalSize();
  const follow = useFollow(scroller, `${height} ${virtualizer.scrollRect?.height}`);

  const goTo = (place: number): void => {
    follow.letGo();
    setCurrent(place);
    virtualizer.scrollToIndex(place, { align: 'center' });
    // The middle of the log may be below the window, where what the run says of itself is long.
    scroller.current?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: 1 | -1): void => {
    const at = current ?? (by === 1 ? -1 : log.count);
    const next =
      by === 1
        ? (found.find((place) => place > at) ?? found[0])
        : (found.findLast((place) => place < at) ?? found.at(-1));
    if (next !== undefined) goTo(next);
  };
  const changeSearch = (text: string): void => {
    setSearch(text);
    const [first] = findLines(log, text);
    if (first === undefined) setCurrent(undefined);
    else goTo(first);
  };

  useEffect(() => {
    virtualizer.measure();
    // oxlint-disable-next-line react/exhaustive-deps -- all heights change with the wrapping, and with nothing else.
  }, [wraps]);

  const { target } = links;
  const isThere = target !== undefined && target <= log.count;
  useEffect(() => {
    if (isThere) goTo(target - 1);
    // oxlint-disable-next-line react/exhaustive-deps -- a line is gone to when the address names it or when it comes, and once.
  }, [isThere, target]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.target === searchField.current || !(isFind || isSlash)) return;
    event.preventDefault();
    event.stopPropagation();
    searchField.current?.focus();
    searchField.current?.select();
  };

  const { open } = links;
  const onLink = useCallback((number: number) => open(number), [open]);
  return (
    <div className="relative" onKeyDown={onKeyDown}>
      <LogTools
        log={log}
        fileName={`run-${runId}.log`}
        searchField={searchField}
        search={search}
        onSearch={changeSearch}
        found={found.length}
        current={current === undefined ? 0 : found.indexOf(current) + 1}
        onStep={step}
        wraps={wraps}
        onWraps={setWraps}
        showsTime={showsTime}
        onShowsTime={setShowsTime}
        onError={() => goTo(log.errors[0] ?? 0)}
      />
      <div
        ref={scroller}
        role="log"
        aria-label="Build log"
        aria-live="off"
        // Focusable, so that the keyboard can scroll it.
        tabIndex={0}
        onScroll={follow.onScroll}
        className="h-[50vh] overflow-auto bg-log py-3 font-mono text-[12.5px] leading-5 text-log-ink outline-offset-[-2px]"
      >
        {log.count === 0 && <p className="px-4 text-log-muted">{waiting}</p>}
        <div className="relative" style={{ height }}>
          {virtualizer.getVirtualItems().map((item) => (
            <div
              // Wrapped and unwrapped, the same line has another height.
              key={`${item.key} ${wraps}`}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className={wraps ? 'absolute inset-x-0 top-0' : 'absolute top-0 left-0 w-max min-w-full'}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LogLine
                line={log.lines[item.index] ?? ''}
                number={item.index + 1}
                at={log.times[item.index] ?? null}
                look={look}
                isCurrent={item.index === current}
                href={links.hrefOf(item.index + 1)}
                onLink={onLink}
              />
            </div>
          ))}
        </div>
      </div>
      {!follow.isOn && (
        <button
          type="button"
          onClick={follow.begin}
          className="absolute bottom-4 left-1/2 inline-flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full bg-accent px-3.5 text-sm font-medium text-on-accent shadow-float"
        >
          <ArrowDown className="size-4" aria-hidden="true" />
          Follow the log
        </button>
      )}
    </div>
  );
}
