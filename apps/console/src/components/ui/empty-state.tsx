import type { ReactNode } from 'react';
import { chapterOfEmptyState } from '../../config/chapters.ts';
import { Button } from './button.tsx';
import { GuideLink } from './guide-link.tsx';

/** A list that failed to load, and how to ask for it again. */
interface FailedList {
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/** The quiet line of a list that could not be loaded, instead of what is said of an empty one. */
function NotLoaded({ list }: { list: FailedList }) {
  return (
    <p
      role="status"
      className="mt-5 flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-sm text-muted"
    >
      <span>This list could not be loaded.</span>
      <Button size="small" busy={list.isFetching} onClick={() => void list.refetch()}>
        Try again
      </Button>
    </p>
  );
}

interface EmptyStateProps {
  readonly title: string;
  /** One line that teaches the next thing. */
  readonly hint?: ReactNode;
  readonly action?: ReactNode;
  /** The list, where it is empty because it could not be loaded: nobody may believe that his data are gone. */
  readonly failed?: FailedList | undefined;
}

/** What a list shows while it has nothing: an empty can, the sentence, one button. */
export function EmptyState({ title, hint, action, failed }: EmptyStateProps) {
  const chapter = chapterOfEmptyState(title);
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <svg
        viewBox="0 0 96 72"
        fill="none"
        className="mb-5 h-18 stroke-muted/70"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <path d="M30 18v36c0 4.4 8 8 18 8s18-3.6 18-8V18" className="fill-sunken" />
        <ellipse cx="48" cy="18" rx="18" ry="7" className="fill-surface" />
        <path d="M30 31c0 4.4 8 8 18 8s18-3.6 18-8M30 44c0 4.4 8 8 18 8s18-3.6 18-8" strokeDasharray="3 4" />
        <path d="M6 62h15M75 62h15M14 68h68" strokeLinecap="round" />
        <path d="M60 13c6-6 14-8 20-5" className="stroke-accent" strokeLinecap="round" />
        <circle cx="82" cy="9.5" r="2.5" className="stroke-accent" />
      </svg>
      <p className="text-lg font-semibold text-balance">{title}</p>
      {hint !== undefined && <p className="mt-1 max-w-md text-sm text-pretty text-muted">{hint}</p>}
      {failed !== undefined && <NotLoaded list={failed} />}
      {action !== undefined && <div className="mt-5">{action}</div>}
      {chapter !== undefined && (
        <div className="mt-4">
          <GuideLink chapter={chapter} />
        </div>
      )}
    </div>
  );
}
