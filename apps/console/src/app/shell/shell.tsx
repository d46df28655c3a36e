import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { IconTips } from '../../components/tips/icon-tips.tsx';
import { Toaster } from '../../components/ui/toaster.tsx';
import { BELOW_MEDIUM, useMedia } from '../../lib/browser/use-size.ts';
import { classNames } from '../../lib/class-names.ts';
import { useLive } from '../../lib/live/use-live.ts';
import { useAuth } from '../../lib/session/auth-state.ts';
import { ArgumentsContext } from '../../lib/shared/argument-draft.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { createQueryClient } from '../query-client.ts';
import { Breadcrumbs } from './breadcrumbs/breadcrumbs.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { watchTyping } from '../../lib/browser/typing.ts';
import { endEntrancesOnInput } from './end-entrances.ts';
import { paintBeforePages } from './paint-first.ts';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

interface SidebarDrawerProps {
  readonly id: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The sidebar over the page on small screens. It lies below the top bar, so that the toggle there closes it as well. */
function SidebarDrawer({ id, open, onClose, children }: SidebarDrawerProps) {
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, onClose]);

  if (!open) return null;
  return (
    <>
      <div
        data-testid="drawer-scrim"
        onClick={onClose}
        className="fixed inset-x-0 top-14 bottom-0 z-10 touch-none bg-scrim transition-opacity duration-200 starting:opacity-0"
      />
      <aside
        id={id}
        data-testid="sidebar"
        className="fixed top-14 bottom-(--foot) left-0 z-10 w-60 max-w-[100vw] border-r border-line bg-raised shadow-float transition-transform duration-200 ease-out starting:-translate-x-full"
      >
        {children}
      </aside>
    </>
  );
}

/** What protection the server runs without. */
function Warnings() {
  const config = usePublicConfig();
  if (!config || config.warnings.length === 0) return null;
  return (
    <aside aria-label="Warnings" className="border-b border-line bg-warn-soft text-sm text-warn">
      <ul>
        {config.warnings.map((warning) => (
          <li key={warning} className="flex items-start gap-2 px-4 py-2 md:px-6">
            <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            {warning}
          </li>
        ))}
      </ul>
    </aside>
  );
}

const loadArguments = async () => (await import('../../candid/install-arguments.tsx')).openArguments;

const SIDEBAR_ID = 'sidebar';

/** Top bar, sidebar and the page beside them: the given one, or that of the route. The answers it keeps end with it, so that no user sees another's. */
export function Shell({ children }: { readonly children?: ReactNode }) {
  const { currentUser } = useAuth();
  const small = useMedia(BELOW_MEDIUM);
  const [client] = useState(createQueryClient);
  useLive(client);
  useEffect(endEntrancesOnInput, []);
  useEffect(watchTyping, []);
  const router = useRouter();
  useEffect(() => paintBeforePages(router), [router]);
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
                  'max-md:hidden sticky top-14 h-[calc(100dvh-3.5rem-var(--foot))] shrink-0 border-r border-line transition-[width] duration-150 ease-out',
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
                className="mx-auto max-w-[1280px] px-4 pt-6 pb-[calc(1.5rem+var(--foot))] outline-none md:px-6"
              >
                {children ?? <Outlet />}
              </main>
            </div>
          </div>
          <ConnectionBar />
          <IconTips />
          <Toaster />
        </ArgumentsContext>
      </QueryClientProvider>
    </CSPProvider>
  );
}
