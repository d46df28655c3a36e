import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type CaughtFailure, ErrorBoundary } from '../ui/error-boundary.tsx';
import { isNotLoaded, useTryAgain } from './use-try-again.ts';

interface NotLoadedProps {
  readonly failure: CaughtFailure;
  readonly onClose: () => void;
}

function NotLoaded({ failure, onClose }: NotLoadedProps) {
  const { again, isAsking, isAway } = useTryAgain(failure.error, failure.reset);
  const reason = isNotLoaded(failure.error)
    ? 'A part of the program did not arrive.'
    : 'It stopped with an error.';
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="This could not be opened"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" busy={isAsking} onClick={() => void again()}>
            Try again
          </Button>
        </>
      }
    >
      <p role="alert" className="text-sm">
        {reason} {isAway && 'There is no connection.'}
      </p>
    </Dialog>
  );
}

/** Around a dialog whose code is loaded when it opens: where that fails, a dialog says so, and what is behind it stays. */
export function DialogBoundary({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={(failure) => <NotLoaded failure={failure} onClose={onClose} />}>
      {children}
    </ErrorBoundary>
  );
}
