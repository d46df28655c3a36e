import { ChevronDown, ChevronUp, CircleAlert, Clock, Download, Search, WrapText } from 'lucide-react';
import type { ComponentProps, KeyboardEvent, RefObject } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { saveText } from '../../../lib/browser/save-text.ts';
import { logAsText, type LogSnapshot } from './log-model.ts';

interface LogToolsProps {
  readonly log: LogSnapshot;
  /** Name of the file that a download makes. */
  readonly fileName: string;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** How many lines hold it, and which of them is shown, from 1; 0 for none. */
  readonly found: number;
  readonly current: number;
  readonly onStep: (step: 1 | -1) => void;
  readonly wraps: boolean;
  readonly onWraps: (wraps: boolean) => void;
  readonly showsTime: boolean;
  readonly onShowsTime: (shows: boolean) => void;
  readonly onError: () => void;
}

interface ToolProps extends ComponentProps<'button'> {
  readonly label: string;
  readonly isAlert?: boolean;
}

function Tool({ label, isAlert = false, ...rest }: ToolProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      data-tip=""
      className={classNames(
        'inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1 rounded-control px-1.5',
        isAlert ? 'text-(--ansi-red)' : 'text-log-muted hover:text-log-ink',
        'hover:bg-log-line aria-pressed:bg-log-line aria-pressed:text-log-ink',
        'disabled:opacity-45 max-sm:h-10 max-sm:min-w-9',
      )}
    />
  );
}

/** What a reader can do with a log: search it, go to its errors, change how it looks, and take it along. */
export function LogTools({
  log,
  fileName,
  searchField,
  search,
  onSearch,
  found,
  current,
  onStep,
  wraps,
  onWraps,
  showsTime,
  onShowsTime,
  onError,
}: LogToolsProps) {
  const hasTimes = log.times[0] != null;
  const errors = log.errors.length;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && search !== '') onSearch('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const count = search === '' ? '' : found === 0 ? 'Not found' : `${current} of ${found}`;
  return (
    <div
      role="group"
      aria-label="Log tools"
      className="flex flex-wrap items-center gap-x-1 gap-y-1.5 border-b border-log-line bg-log px-3 py-1.5 text-xs"
    >
      <span className="relative block min-w-0 flex-1 basis-28 sm:max-w-72">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-log-muted"
        />
        <input
          ref={searchField}
          type="search"
          aria-label="Search the log"
          placeholder="Search the log"
          value={search}
          onChange={({ target }) => onSearch(target.value)}
          onKeyDown={onKeyDown}
          className="h-7 w-full rounded-control border border-log-line bg-log-line/50 pr-2 pl-7 text-log-ink placeholder:text-log-muted max-sm:h-10"
        />
      </span>
      <span role="status" className="min-w-14 px-1 text-log-muted tabular-nums">
        {count}
      </span>
      <Tool label="Previous match" disabled={found === 0} onClick={() => onStep(-1)}>
        <ChevronUp className="size-4" aria-hidden="true" />
      </Tool>
      <Tool label="Next match" disabled={found === 0} onClick={() => onStep(1)}>
        <ChevronDown className="size-4" aria-hidden="true" />
      </Tool>
      <span className="ml-auto flex items-center gap-1">
        {errors > 0 && (
          <Tool
            label={errors === 1 ? 'Go to the 1 error' : `Go to the first of ${errors} errors`}
            onClick={onError}
            isAlert
          >
            <CircleAlert className="size-4" aria-hidden="true" />
            <span aria-hidden="true" className="tabular-nums">
              {errors}
            </span>
          </Tool>
        )}
        <Tool label="Wrap long lines" aria-pressed={wraps} onClick={() => onWraps(!wraps)}>
          <WrapText className="size-4" aria-hidden="true" />
        </Tool>
        <Tool
          label="Show times"
          aria-pressed={showsTime && hasTimes}
          disabled={!hasTimes}
          onClick={() => onShowsTime(!showsTime)}
        >
          <Clock className="size-4" aria-hidden="true" />
        </Tool>
        <Tool
          label="Download log"
          disabled={log.count === 0}
          onClick={() => saveText(fileName, logAsText(log, showsTime))}
        >
          <Download className="size-4" aria-hidden="true" />
        </Tool>
        {log.count > 0 && (
          <span className="[&_button]:text-log-muted [&_button:hover]:bg-log-line [&_button:hover]:text-log-ink">
            <CopyButton text={() => logAsText(log, false)} label="Copy log" />
          </span>
        )}
      </span>
    </div>
  );
}
