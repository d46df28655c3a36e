import type { ReactNode } from 'react';
import { chapterOfEmptyState } from '../../config/chapters.ts';
import { EmptyDrawing, type EmptyOf } from '../empty/empty-drawing.tsx';
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
  /** What the drawing is of. */
  readonly drawing: EmptyOf;
  readonly title: string;
  /** One line that teaches the next thing. */
  readonly hint?: ReactNode;
  readonly action?: ReactNode;
  /** The list, where it is empty because it could not be loaded: nobody may believe that his data are gone. */
  readonly failed?: FailedList | undefined;
}

/** What a list shows while it has nothing: a drawing, the sentence, one button. */
export function EmptyState({ drawing, title, hint, action, failed }: EmptyStateProps) {
  const chapter = chapterOfEmptyState(title);
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <EmptyDrawing of={drawing} />
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
