import { useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { startTransition, Suspense, useCallback, useEffect, useState } from 'react';
import { DialogBoundary } from '../../../components/connection/dialog-boundary.tsx';
import { lazyPage } from '../../../components/ui/lazy-page.ts';
import { paths } from '../../../config/paths.ts';
import { useAccountRefresh } from '../../../features/account/use-account-refresh.ts';
import { HelpMenu } from '../help-menu.tsx';
import { openThing } from '../open-thing.ts';
import type { Destination } from './entries.ts';
import { GoSequence } from './go-keys.ts';
import type { OpenDialog } from './deeds.ts';
import { paletteDoor } from './palette-door.ts';
import { forgetAtSignOut, recentEntries } from './recent-entries.ts';
import { commandKey, commandOf, isForFocus, singleKeys } from './shortcuts.ts';
import { TypedAhead } from './typed-ahead.ts';

/** Each brings code with it that no page needs before somebody asks for it. */
const CommandPalette = lazyPage(() => import('./command-palette.tsx'), 'CommandPalette');
const ShortcutsDialog = lazyPage(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog');
const OpenDialogs = lazyPage(() => import('./open-dialogs.tsx'), 'OpenDialogs');
const CreateCanisterDialog = lazyPage(
  () => import('../../../features/canister/create/create-canister-dialog.tsx'),
  'CreateCanisterDialog',
);

/** What is open takes the keys: a dialog, a menu, or a list of choices. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const isAnythingOpen = (): boolean => document.querySelector(OPEN) !== null;

/** Two keys lead to a page, unless they are typed or meant for what is open. */
function useGoKeys(go: (to: Destination) => void): void {
  useEffect(() => {
    const sequence = new GoSequence();
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, isComposing, repeat, defaultPrevented, target } = event;
      const isHeld = ctrlKey || metaKey || altKey || isComposing || repeat || defaultPrevented;
      if (isHeld || !singleKeys.get() || isForFocus(target) || isAnythingOpen()) return sequence.end();
      const to = sequence.press(key, performance.now());
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [go]);
}

/** The palette's button, the menu of help, their shortcuts, and the dialogs they open. */
export function PaletteHost({ userId }: { userId: string }) {
  const [shown, setShown] = useState<'palette' | 'shortcuts' | 'create'>();
  const [asked, setAsked] = useState<OpenDialog>();
  const [typed] = useState(() => new TypedAhead());
  const account = useAccountRefresh();
  const navigate = useNavigate();
  const close = useCallback(() => {
    typed.end();
    setShown(undefined);
  }, [typed]);
  const open = useCallback(() => {
    typed.begin();
    // Drawing it takes longer than a frame, in which the page would show nothing of any other key.
    startTransition(() => setShown('palette'));
  }, [typed]);
  const create = useCallback(() => setShown('create'), []);
  const shortcuts = useCallback(() => setShown('shortcuts'), []);
  const go = useCallback(
    ({ to, params = {}, search = {}, hash }: Destination) =>
      void navigate({ to, params, search, ...(hash !== undefined && { hash }) }),
    [navigate],
  );
  useGoKeys(go);

  const { pathname } = useLocation();
  useEffect(() => {
    const thing = openThing(pathname);
    if (thing) recentEntries.note(userId, `${thing.kind}:${thing.id}`);
  }, [pathname, userId]);
  useEffect(forgetAtSignOut, []);

  useEffect(() => paletteDoor.subscribe(open), [open]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isAnythingOpen() && typed.press(event)) return event.preventDefault();
      // Its code is on the way before the K is pressed.
      if (event.key === 'Control' || event.key === 'Meta') void CommandPalette.preload();
      const command = commandOf(event, isForFocus(event.target) || !singleKeys.get());
      if (command === undefined) return;
      event.preventDefault();
      // An open dialog keeps its place; only the palette itself closes by its own key.
      if (shown === 'palette' && command === 'palette') return close();
      if (shown !== undefined || document.querySelector('[role="dialog"]') !== null) return;
      if (command === 'palette') open();
      else setShown(command);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shown, typed, open, close]);

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        onPointerEnter={() => void CommandPalette.preload()}
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
        <DialogBoundary onClose={close}>
          <Suspense>
            <CommandPalette
              userId={userId}
              typedAhead={typed}
              onClose={close}
              onCreateCanister={create}
              onShortcuts={shortcuts}
              onAsk={setAsked}
            />
          </Suspense>
        </DialogBoundary>
      )}
      {asked && (
        <DialogBoundary onClose={() => setAsked(undefined)}>
          <Suspense>
            {/* One that takes its time must not close the next. */}
            <OpenDialogs
              dialog={asked}
              onClose={() => setAsked((current) => (current === asked ? undefined : current))}
            />
          </Suspense>
        </DialogBoundary>
      )}
      {shown === 'shortcuts' && (
        <DialogBoundary onClose={close}>
          <Suspense>
            <ShortcutsDialog onClose={close} />
          </Suspense>
        </DialogBoundary>
      )}
      {shown === 'create' && (
        <DialogBoundary onClose={close}>
          <Suspense>
            <CreateCanisterDialog
              open
              onOpenChange={(next) => !next && close()}
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
