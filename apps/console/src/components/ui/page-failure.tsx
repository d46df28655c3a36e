import { TriangleAlert } from 'lucide-react';
import { Button } from './button.tsx';
import { buttonClass } from './button-class.ts';
import { CopyButton } from './copy-button.tsx';

/** What browsers say of a part of the program that did not arrive. */
const NOT_LOADED = /dynamically imported module|module script failed|Importing a module script/i;

/** What stands in the place of a page that fails: what happened, and the way on. */
export function PageFailure({ error }: { error: unknown }) {
  const reason = error instanceof Error ? error.message : String(error);
  const isLoad = NOT_LOADED.test(reason);
  const detail = error instanceof Error ? (error.stack ?? reason) : reason;
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-center px-6 py-16 text-center">
      <TriangleAlert className="mb-3 size-8 text-bad" strokeWidth={1.5} aria-hidden="true" />
      <h1 className="text-lg font-semibold text-balance">
        {isLoad ? 'This page could not be loaded' : 'This page has failed'}
      </h1>
      <p className="mt-1 text-sm text-pretty wrap-anywhere text-muted">
        {isLoad
          ? 'A part of it did not arrive. Check the connection, then try again.'
          : `It stopped with the error: ${reason.slice(0, 300)}`}
      </p>
      <div className="mt-5 flex flex-wrap items-center justify-center gap-2">
        <Button variant="primary" onClick={() => location.reload()}>
          Try again
        </Button>
        <a href="/" className={buttonClass()}>
          Back to Home
        </a>
        <CopyButton text={detail} label="Copy error details" />
      </div>
    </div>
  );
}
