import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/ui/button.tsx';
import { CanneryMark } from '../../components/ui/cannery-mark.tsx';
import { paths } from '../../config/paths.ts';
import { UNKNOWN_REPOSITORY, UNKNOWN_THING } from '../../config/unknown.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { MaybeShell } from '../shell/maybe-shell.tsx';

interface NotFoundProps {
  /** What the route that was asked for has to say. */
  readonly data?: unknown;
}

function NotFound({ data }: NotFoundProps) {
  const isRepository = data === UNKNOWN_REPOSITORY;
  return (
    <div className="mx-auto max-w-md animate-entrance text-center">
      <CanneryMark className="mx-auto size-12 -rotate-12" />
      <p className="mt-6 font-mono text-sm text-muted">404</p>
      <h1 className="mt-1 text-xl font-semibold text-balance">
        Oops. Looks like the page you're looking for no longer exists
      </h1>
      {isRepository && (
        <p className="mt-3 text-sm text-pretty text-muted">
          This repository cannot be shown. {UNKNOWN_THING}
        </p>
      )}
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        <Link to={paths.home} className={buttonClass({ variant: 'primary' })}>
          Back to Home
        </Link>
        {isRepository && (
          <Link to={paths.gitConnect} className={buttonClass()}>
            Your repositories
          </Link>
        )}
      </div>
    </div>
  );
}

export function NotFoundPage(props: NotFoundProps) {
  usePageTitle('Page not found');
  return (
    <MaybeShell
      bare={
        <main className="grid min-h-dvh place-items-center p-6">
          <NotFound data={props.data} />
        </main>
      }
    >
      <div className="grid min-h-[60dvh] place-items-center">
        <NotFound data={props.data} />
      </div>
    </MaybeShell>
  );
}
