import type { Canister } from '@cannery/contract';
import { type KeyboardEvent, useCallback, useSyncExternalStore } from 'react';
import { shown } from '../../../lib/text/formats.ts';
import { canisterSelection } from './selection.ts';

/** The checkboxes of the table that one is in, from top to bottom. */
function boxesAround(box: HTMLInputElement): HTMLInputElement[] {
  return [...(box.closest('table')?.querySelectorAll<HTMLInputElement>('input[data-row]') ?? [])];
}

/** The arrow keys go from row to row. */
function onArrow(event: KeyboardEvent<HTMLInputElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const boxes = boxesAround(event.currentTarget);
  boxes[boxes.indexOf(event.currentTarget) + step]?.focus();
}

/** Selects a canister of the list; with Shift all from the last one to this one. It alone is drawn again. */
export function RowCheck({ canister: { id, name } }: { canister: Canister }) {
  const selected = useSyncExternalStore(
    canisterSelection.subscribe,
    useCallback(() => canisterSelection.has(id), [id]),
  );
  return (
    <label className="-my-2 -ml-2 inline-flex shrink-0 cursor-pointer p-2 select-none max-sm:-my-3.5 max-sm:-ml-3.5 max-sm:p-3.5">
      <input
        type="checkbox"
        data-row={id}
        aria-label={`Select ${shown(name)}`}
        checked={selected}
        onKeyDown={onArrow}
        onChange={({ currentTarget, nativeEvent }) =>
          canisterSelection.set(id, currentTarget.checked, {
            range: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
            order: boxesAround(currentTarget).map(({ dataset }) => dataset['row'] ?? ''),
          })
        }
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  );
}
