import { type ComponentType, lazy, Suspense } from 'react';
import { buttonClass } from './button.tsx';
import type { CopyButtonProps } from './copy-button.tsx';
import { isNotLoaded, useTryAgain } from '../connection/use-try-again.ts';

/** Comes later: every page has this module, and the sign-in page needs nothing else of the kit. It may not arrive either. */
const CopyButton = lazy(async (): Promise<{ default: ComponentType<CopyButtonProps> }> => {
  try {
    return { default: (await import('./copy-button.tsx')).CopyButton };
  } catch {
    return { default: () => null };
  }
});

/** Browsers keep in mind what did not arrive until the page is loaded again. Nothing is lost by that: only a dialog could hold what was typed. */
function loadAgain(): void {
  if (document.querySelector('[role="dialog"]') === null) location.reload();
}

/** What is shown instead of a page that fails: what happened, and the way on. */
export function PageFailure({ error }: { error: unknown }) {
  const { again, isAsking, isAway } = useTryAgain(error, loadAgain);
  const reason = error instanceof Error ? error.message : String(error);
  const isLoad = isNotLoaded(error);
  const detail = error instanceof Error ? (error.stack ?? reason) : reason;
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-center px-6 py-16 text-center">
      <svg
        viewBox="0 0 24 24"
        className="mb-3 size-8 fill-none stroke-current text-bad"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M12 4 2.5 20.5h19Zm0 6v5m0 2.5v.1" />
      </svg>
      <h1 className="text-lg font-semibold text-balance">
        {isLoad ? 'This page could not be loaded' : 'This page has failed'}
      </h1>
      <p className="mt-1 text-sm text-pretty wrap-anywhere text-muted">
        {isLoad
          ? isAway
            ? 'A part of it did not arrive, and there is no connection. It is tried again when that is back.'
            : 'A part of it did not arrive. Check the connection, then try again.'
          : `It stopped with the error: ${reason.slice(0, 300)}`}
      </p>
      <div className="mt-5 flex flex-wrap items-center justify-center gap-2">
        <button
          type="button"
          disabled={isAsking}
          className={buttonClass({ variant: 'primary' })}
          onClick={() => void again()}
        >
          Try again
        </button>
        {/* It loads the page again, which the browser cannot do now. */}
        {!isAway && (
          <a href="/" className={buttonClass()}>
            Back to Home
          </a>
        )}
        <Suspense>
          <CopyButton text={detail} label="Copy error details" />
        </Suspense>
      </div>
    </div>
  );
}
