import { useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { DialogBoundary } from '../../../components/connection/dialog-boundary.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { lazyPage } from '../../../components/ui/lazy-page.ts';
import { paths } from '../../../config/paths.ts';
import { useAccountRefresh } from '../../../features/account/use-account-refresh.ts';
import { HelpMenu } from '../help-menu.tsx';
import { openThing } from '../open-thing.ts';
import { CommandPalette } from './command-palette.tsx';
import type { OpenDialog } from './open-entries.ts';
import { paletteDoor } from './palette-door.ts';
import { recentEntries } from './recent-entries.ts';
import { commandKey, commandOf, shortcutList, singleKeys, useSingleKeys } from './shortcuts.ts';

/** What the keyboard can do. */
function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const enabled = useSingleKeys();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Keyboard shortcuts">
      <dl className="flex flex-col">
        {shortcutList().map(({ keys, does }) => (
          <div
            key={does}
            className="flex min-h-10 items-center justify-between gap-4 border-b border-line last:border-0"
          >
            <dt>{does}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-control border border-line bg-sunken px-2 py-0.5 font-sans text-sm"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="flex cursor-pointer items-center gap-2 border-t border-line pt-4 pb-5 text-sm">
        <input
          type="checkbox"
          checked={enabled}
          onChange={(event) => singleKeys.set(event.target.checked)}
          className="size-4 accent-accent"
        />
        Shortcuts of a single key, such as ?
      </label>
    </Dialog>
  );
}

/** Brings the code of forms with it, which the shell has no other need of. */
const CreateCanisterDialog = lazyPage(
  () => import('../../../features/canister/create/create-canister-dialog.tsx'),
  'CreateCanisterDialog',
);

/** So do the dialogs of actions on what is open. */
const OpenDialogs = lazyPage(() => import('./open-dialogs.tsx'), 'OpenDialogs');

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** The palette's button, the menu of help, their shortcuts, and the dialogs they open. */
export function PaletteHost({ userId }: { userId: string }) {
  const [shown, setShown] = useState<'palette' | 'shortcuts' | 'create'>();
  const [asked, setAsked] = useState<OpenDialog>();
  const account = useAccountRefresh();
  const navigate = useNavigate();
  const close = useCallback(() => setShown(undefined), []);
  const create = useCallback(() => setShown('create'), []);
  const shortcuts = useCallback(() => setShown('shortcuts'), []);

  const { pathname } = useLocation();
  useEffect(() => {
    const open = openThing(pathname);
    if (open) recentEntries.note(userId, `${open.kind}:${open.id}`);
  }, [pathname, userId]);

  useEffect(() => paletteDoor.subscribe(() => setShown('palette')), []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const command = commandOf(event, isTyping(event.target) || !singleKeys.get());
      if (command === undefined) return;
      event.preventDefault();
      // An open dialog keeps its place; only the palette itself closes by its own key.
      setShown((current) => {
        if (current === 'palette' && command === 'palette') return undefined;
        return current ?? (document.querySelector('[role="dialog"]') === null ? command : undefined);
      });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setShown('palette')}
        className="flex h-9 max-sm:h-11 max-sm:min-w-11 max-sm:justify-center items-center gap-2 rounded-control border border-line bg-page px-2.5 text-sm text-muted transition-colors duration-100 hover:border-control hover:text-ink max-sm:border-transparent max-sm:bg-transparent max-sm:px-2"
      >
        <Search className="size-4" aria-hidden="true" />
        <span className="sr-only">Open the command palette, </span>
        <span className="pr-8 max-md:hidden">Go to …</span>
        <kbd className="rounded-control border border-line bg-surface px-1.5 font-sans text-xs max-sm:hidden">
          {commandKey()} K
        </kbd>
      </button>
      <HelpMenu onShortcuts={shortcuts} />
      {shown === 'palette' && (
        <CommandPalette
          userId={userId}
          onClose={close}
          onCreateCanister={create}
          onShortcuts={shortcuts}
          onAsk={setAsked}
        />
      )}
      {asked && (
        <DialogBoundary onClose={() => setAsked(undefined)}>
          <Suspense>
            <OpenDialogs dialog={asked} onClose={() => setAsked(undefined)} />
          </Suspense>
        </DialogBoundary>
      )}
      <ShortcutsDialog open={shown === 'shortcuts'} onClose={close} />
      {shown === 'create' && (
        <DialogBoundary onClose={close}>
          <Suspense>
            <CreateCanisterDialog
              open
              onOpenChange={(open) => !open && close()}
              onCreated={() => {
                account.canisterCreated();
                void navigate({ to: paths.canisters });
              }}
              presentation="table"
            />
          </Suspense>
        </DialogBoundary>
      )}
    </>
  );
}
