import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { ApiError, isLost } from '../../../lib/api/api-error.ts';

/** Of a fault of the server nothing of its inside is shown, as in the toast (ERR-02). */
function reasonOf(failure: unknown): string | undefined {
  const isFault = failure instanceof ApiError && failure.status >= 500 && !isLost(failure);
  return isFault ? 'Something went wrong.' : undefined;
}

/** Why settings were not saved, where they are: the toast that says it first is gone soon. */
export function NotSaved({ failure }: { failure: unknown }) {
  return <FailureNotice title="Not saved" error={failure} reason={reasonOf(failure)} isTold />;
}
