import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/ui/button.tsx';
import { CanneryMark } from '../../components/ui/cannery-mark.tsx';
import { paths } from '../../config/paths.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { MaybeShell } from '../shell/maybe-shell.tsx';

function NotFound() {
  return (
    <div className="mx-auto max-w-md animate-entrance text-center">
      <CanneryMark className="mx-auto size-12 -rotate-12" />
      <p className="mt-6 font-mono text-sm text-muted">404</p>
      <h1 className="mt-1 text-xl font-semibold text-balance">
        Oops. Looks like the page you're looking for no longer exists
      </h1>
      <Link to={paths.home} className={buttonClass({ variant: 'primary', className: 'mt-6' })}>
        Back to Home
      </Link>
    </div>
  );
}

export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <MaybeShell
      bare={
        <main className="grid min-h-dvh place-items-center p-6">
          <NotFound />
        </main>
      }
    >
      <div className="grid min-h-[60dvh] place-items-center">
        <NotFound />
      </div>
    </MaybeShell>
  );
}
