import { Outlet } from '@tanstack/react-router';
import { MaybeShell } from '../shell/maybe-shell.tsx';

export function RootPage() {
  return <Outlet />;
}

/** The frame of pages that anybody may open. */
export function PublicFrame() {
  return (
    <MaybeShell
      bare={
        <main className="mx-auto max-w-[1280px] px-4 py-6 md:px-6">
          <Outlet />
        </main>
      }
    >
      <Outlet />
    </MaybeShell>
  );
}
