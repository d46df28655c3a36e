import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { Toaster } from '../../components/ui/toaster.tsx';
import { classNames } from '../../lib/class-names.ts';
import { useAuth } from '../../lib/session/auth-store.ts';
import { BELOW_MEDIUM, useMedia } from '../../lib/browser/use-media.ts';
import { ArgumentsContext } from '../../lib/shared/arguments-context.ts';
import { createQueryClient } from '../query-client.ts';
import { Breadcrumbs } from './breadcrumbs/breadcrumbs.tsx';
import { Sidebar } from './sidebar.tsx';
import { SidebarDrawer } from './sidebar-drawer.tsx';
import { TopBar } from './top-bar.tsx';
import { Warnings } from './warnings.tsx';

const loadArguments = async () => (await import('../../candid/install-arguments.tsx')).openArguments;

const SIDEBAR_ID = 'sidebar';

/** Top bar, sidebar and the page beside them: the given one, or that of the route. The answers it keeps end with it, so that no user sees another's. */
export function Shell({ children }: { readonly children?: ReactNode }) {
  const { currentUser } = useAuth();
  const small = useMedia(BELOW_MEDIUM);
  const [client] = useState(createQueryClient);
  const [wide, setWide] = useState(true);
  const [drawer, setDrawer] = useState(false);
  const closeDrawer = useCallback(() => setDrawer(false), []);
  if (!currentUser) return null;

  return (
    // The page's policy allows no injected style elements.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <ArgumentsContext value={loadArguments}>
          <a
            href="#content"
            className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
          >
            Skip to content
          </a>
          <TopBar
            user={currentUser}
            sidebarId={SIDEBAR_ID}
            sidebarOpen={small ? drawer : wide}
            onToggle={() => (small ? setDrawer(!drawer) : setWide(!wide))}
          />
          <div className="flex">
            {small ? (
              <SidebarDrawer id={SIDEBAR_ID} open={drawer} onClose={closeDrawer}>
                <Sidebar narrow={false} onFollow={closeDrawer} />
              </SidebarDrawer>
            ) : (
              <aside
                id={SIDEBAR_ID}
                data-testid="sidebar"
                // Hidden by the style sheet as well: a window that narrows is drawn before the script has noticed.
                className={classNames(
                  'max-md:hidden sticky top-14 h-[calc(100dvh-3.5rem)] shrink-0 border-r border-line transition-[width] duration-150 ease-out',
                  wide ? 'w-[240px]' : 'w-[85px]',
                )}
              >
                <Sidebar narrow={!wide} onFollow={closeDrawer} />
              </aside>
            )}
            {/* What the drawer covers is out of reach until it is closed. */}
            <div inert={small && drawer} className="min-w-0 flex-1">
              <Warnings />
              <Breadcrumbs />
              <main
                id="content"
                tabIndex={-1}
                className="mx-auto max-w-[1280px] px-4 py-6 outline-none md:px-6"
              >
                {children ?? <Outlet />}
              </main>
            </div>
          </div>
          <Toaster />
        </ArgumentsContext>
      </QueryClientProvider>
    </CSPProvider>
  );
}
