import { Dialog } from '../../../components/ui/dialog.tsx';
import { shortcutList, singleKeys, useSingleKeys } from './shortcuts.ts';

/** What the keyboard can do. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const enabled = useSingleKeys();
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title="Keyboard shortcuts">
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
                  className="min-w-7 rounded-control border border-line bg-sunken px-2 py-0.5 text-center font-sans text-sm"
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
        Shortcuts without Ctrl or Cmd, such as ? and g d
      </label>
    </Dialog>
  );
}
