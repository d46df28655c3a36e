import { type ReactNode, Suspense } from 'react';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { PageLoader } from '../../components/ui/page-loader.tsx';
import { useAuth } from '../../lib/session/auth-state.ts';

const IconTips = lazyPage(() => import('../../components/tips/icon-tips.tsx'), 'IconTips');
const Shell = lazyPage(() => import('./shell.tsx'), 'Shell');

interface MaybeShellProps {
  /** What a signed-out visitor sees. */
  readonly bare: ReactNode;
  /** What a signed-in user sees inside the shell. */
  readonly children: ReactNode;
}

/** A page that anybody may open: inside the shell for a signed-in user, by itself for a visitor. */
export function MaybeShell({ bare, children }: MaybeShellProps) {
  const { currentUser } = useAuth();
  if (!currentUser) {
    return (
      <>
        {bare}
        <Suspense>
          <IconTips />
        </Suspense>
      </>
    );
  }
  return (
    <Suspense fallback={<PageLoader label="Loading page" />}>
      <Shell>{children}</Shell>
    </Suspense>
  );
}
