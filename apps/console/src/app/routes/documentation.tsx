import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet } from '@tanstack/react-router';
import {
  DocumentationHeader,
  DocumentationLayout,
} from '../../features/documentation/documentation-layout.tsx';
import { MaybeShell } from '../shell/maybe-shell.tsx';

/** The frame of the documentation: in the shell for a signed-in user, below its own bar for a visitor. */
export function DocumentationFrame() {
  const pages = (
    <DocumentationLayout>
      <Outlet />
    </DocumentationLayout>
  );
  return (
    <MaybeShell
      bare={
        // The page's policy allows no injected style elements.
        <CSPProvider disableStyleElements>
          <DocumentationHeader />
          <main className="mx-auto max-w-[1280px] px-4 py-6 md:px-6">{pages}</main>
        </CSPProvider>
      }
    >
      {pages}
    </MaybeShell>
  );
}
