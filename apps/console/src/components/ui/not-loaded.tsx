import { Button } from './button.tsx';

/** A list that failed to load, and how to ask for it again. */
export interface FailedList {
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/** The quiet line of a list that could not be loaded, instead of what is said of an empty one. */
export function NotLoaded({ list }: { list: FailedList }) {
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
