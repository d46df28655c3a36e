import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { memo, useCallback, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { usePainted } from '../../../lib/browser/use-painted.ts';
import { useStore } from '../../../lib/browser/store.ts';
import { classNames } from '../../../lib/class-names.ts';
import { openThing } from '../open-thing.ts';
import type { PaletteEntry, PaletteGroup } from './entries.ts';
import { paletteGroups } from './find-entries.ts';
import { keysOf } from './go-keys.ts';
import { recentEntries } from './recent-entries.ts';
import type { OpenDialog } from './deeds.ts';
import type { Doer } from './deeds.ts';
import { useSingleKeys } from './shortcuts.ts';
import type { TypedAhead } from './typed-ahead.ts';
import { useEntries } from './use-entries.ts';

interface CommandPaletteProps {
  /** Whose last choices come first. */
  readonly userId: string;
  /** What was typed before the palette was there, until its field changes. */
  readonly typedAhead: TypedAhead;
  readonly onClose: () => void;
  readonly onCreateCanister: () => void;
  readonly onShortcuts: () => void;
  readonly onAsk: (dialog: OpenDialog) => void;
}

const popupClass = classNames(
  'fixed inset-x-3 top-3 z-50 mx-auto flex max-h-[min(34rem,calc(100dvh-1.5rem))] max-w-140 flex-col overflow-hidden sm:top-[14vh] sm:max-h-[min(34rem,72vh)]',
  'rounded-card border border-line bg-raised shadow-float outline-none',
  'transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0',
);

/** The text of an entry. A name of somebody may be written from right to left, or say that it is: what follows is not. */
function Label({ entry: { label, name } }: { entry: PaletteEntry }) {
  const at = name === undefined ? -1 : label.indexOf(name);
  if (name === undefined || at < 0) return <span className="min-w-0 flex-1 truncate">{label}</span>;
  return (
    <span className="flex min-w-0 flex-1 whitespace-pre">
      {label.slice(0, at)}
      <bdi className="min-w-0 truncate">{name}</bdi>
      {label.slice(at + name.length)}
    </span>
  );
}

/** The keys that lead to an entry without the palette. */
function Keys({ of }: { of: string }) {
  const enabled = useSingleKeys();
  const keys = enabled ? keysOf(of) : undefined;
  return (
    keys && (
      <span aria-hidden="true" className="flex gap-1 max-sm:hidden">
        {keys.map((key) => (
          <kbd
            key={key}
            className="min-w-5 rounded-control border border-line bg-surface px-1 text-center font-sans text-xs text-muted"
          >
            {key}
          </kbd>
        ))}
      </span>
    )
  );
}

interface ResultsProps {
  readonly id: string;
  readonly groups: readonly PaletteGroup[];
  readonly current: PaletteEntry | undefined;
  readonly onRun: (entry: PaletteEntry) => void;
  readonly onPoint: (entry: PaletteEntry) => void;
}

const optionId = (list: string, entry: PaletteEntry): string => `${list}-${entry.id}`;

/** What was found. Remembered, so that a key that has found nothing new yet draws none of it. */
const Results = memo(function Results({ id, groups, current, onRun, onPoint }: ResultsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      className={classNames('min-h-0 flex-1 overflow-y-auto p-2', groups.length === 0 && 'hidden')}
    >
      {groups.map(({ name, entries }) => (
        <div key={name} role="group" aria-label={name}>
          <p aria-hidden="true" className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
            {name}
          </p>
          {entries.map((entry) => (
            // The keyboard moves through the options from the input above.
            <div
              key={entry.id}
              id={optionId(id, entry)}
              role="option"
              aria-selected={entry === current}
              tabIndex={-1}
              onClick={() => onRun(entry)}
              onPointerMove={() => onPoint(entry)}
              className={classNames(
                'flex min-h-10 max-sm:min-h-11 cursor-pointer items-center gap-3 rounded-control px-2.5',
                entry === current && 'bg-accent-soft',
              )}
            >
              <entry.Icon
                className={classNames('size-4 shrink-0', entry === current ? 'text-accent' : 'text-muted')}
                aria-hidden="true"
              />
              <Label entry={entry} />
              {entry.note !== undefined && (
                <span className="max-w-1/2 truncate font-mono text-xs text-muted">{entry.note}</span>
              )}
              <Keys of={entry.id} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
});

const entriesOf = (groups: readonly PaletteGroup[]): PaletteEntry[] =>
  groups.flatMap(({ entries }) => entries);

/** Addresses of other origins, which a service gives, are opened only if they are of the web. */
const WEB = /^https?:\/\//;

/** Goes anywhere and does anything by typing a part of its name. */
export function CommandPalette(props: CommandPaletteProps) {
  const { userId, typedAhead, onClose, onCreateCanister, onShortcuts, onAsk } = props;
  const ahead = useStore(typedAhead);
  const [typed, setTyped] = useState('');
  const text = ahead + typed;
  const navigate = useNavigate();
  const doer = useMemo(
    (): Doer => ({
      go: ({ to, params = {}, search = {}, hash }) =>
        void navigate({ to, params, search, ...(hash !== undefined && { hash }) }),
      visit: (address) => WEB.test(address) && window.open(address, '_blank', 'noopener,noreferrer'),
      ask: onAsk,
    }),
    [navigate, onAsk],
  );
  const { isLoading, fixed, shelves } = useEntries({ text, onCreateCanister, onShortcuts, doer });
  const [active, setActive] = useState(0);
  const [recent] = useState(() => recentEntries.read(userId));
  const open = openThing(useLocation().pathname);
  const openId = open && `${open.kind}:${open.id}`;
  const list = useId();
  const find = useCallback(
    (what: string) => paletteGroups({ fixed, shelves }, what, recent, openId),
    [fixed, shelves, recent, openId],
  );
  // A key is drawn before what it finds: among thousands of things that takes longer than a frame.
  const searched = usePainted(text);
  const groups = useMemo(() => find(searched), [find, searched]);
  const flat = useMemo(() => entriesOf(groups), [groups]);
  const current = flat[Math.min(active, flat.length - 1)];

  const run = useCallback(
    (entry: PaletteEntry): void => {
      // An action on what is open is none on what will be; of one on something else that is kept, so that Enter repeats nothing.
      if (!entry.id.startsWith('open:')) recentEntries.note(userId, entry.thing ?? entry.id);
      onClose();
      entry.run();
    },
    [userId, onClose],
  );
  const point = useCallback((entry: PaletteEntry) => setActive(flat.indexOf(entry)), [flat]);

  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter is for what is typed, also where the list does not show yet what it finds.
    const entries = searched === text ? flat : entriesOf(find(text));
    const index = Math.min(active, entries.length - 1);
    const move = (to: number): void => {
      const next = (to + entries.length) % entries.length;
      const entry = entries[next];
      if (entry === undefined) return;
      setActive(next);
      document.getElementById(optionId(list, entry))?.scrollIntoView({ block: 'nearest' });
    };
    const moves: Partial<Record<string, () => void>> = {
      ArrowDown: () => move(index + 1),
      ArrowUp: () => move(index - 1),
      PageDown: () => move(Math.min(index + 8, entries.length - 1)),
      PageUp: () => move(Math.max(index - 8, 0)),
      Enter: () => {
        const entry = entries[index];
        if (entry !== undefined) run(entry);
      },
    };
    const action = event.nativeEvent.isComposing ? undefined : moves[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  return (
    <BaseDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-50 bg-scrim transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0" />
        <BaseDialog.Popup className={popupClass}>
          <BaseDialog.Title className="sr-only">Command palette</BaseDialog.Title>
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Search className="size-4 shrink-0 text-muted" aria-hidden="true" />
            <input
              role="combobox"
              aria-label="Search for a page, chapter, canister, dapp, repository, registry or action"
              aria-expanded={flat.length > 0}
              aria-controls={list}
              aria-autocomplete="list"
              aria-activedescendant={current && optionId(list, current)}
              autoComplete="off"
              spellCheck={false}
              placeholder="Go somewhere, or do something: stop my-canister"
              value={text}
              onChange={(event) => {
                typedAhead.end();
                setTyped(event.target.value);
                setActive(0);
              }}
              onKeyDown={onKeyDown}
              className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
            />
            <kbd className="rounded-control border border-line px-1.5 py-0.5 font-sans text-xs text-muted max-sm:hidden">
              Esc
            </kbd>
          </div>
          <Results id={list} groups={groups} current={current} onRun={run} onPoint={point} />
          <p
            role="status"
            className={flat.length === 0 ? 'px-5 py-8 text-center text-sm text-muted' : 'sr-only'}
          >
            {flat.length > 0
              ? `${flat.length} ${flat.length === 1 ? 'result' : 'results'}`
              : isLoading
                ? 'Looking for it …'
                : 'Nothing matches. Try part of a name or id.'}
          </p>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
