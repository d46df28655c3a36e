import type { Canister } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { CirclePlay, CirclePlus, CircleStop, Ellipsis, Pencil, Tag } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../components/ui/menu.tsx';
import { Spinner } from '../../../components/ui/spinner.tsx';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { shown } from '../../../lib/text/formats.ts';
import { useToggleRunning } from '../actions/use-toggle-running.ts';
import { isRunning } from '../api/canister-state.ts';
import { useCanisterLocked } from '../api/mutations.ts';
import { LabelDialog } from '../label/label-dialog.tsx';
import { TopUpDialog } from '../payment/top-up-dialog.tsx';

/** No row is taller for it. */
const inRow = '-my-1 max-sm:-my-2.5 max-sm:-mr-2';

type Asked = 'rename' | 'tags' | 'top up';

/** The menu of a row of the list; its button has a spinner while an action runs on the canister. */
export function RowMenu({ canister }: { canister: Canister }) {
  const client = useQueryClient();
  const { toggle } = useToggleRunning(canister.id);
  const locked = useCanisterLocked(canister.id);
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const running = isRunning(canister);
  const refreshBalance = (): void => {
    for (const key of [queryKeys.insights, queryKeys.transactions])
      void client.invalidateQueries({ queryKey: key });
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Actions of ${shown(canister.name)}`}
            aria-busy={locked || undefined}
            size="small"
            className={inRow}
          >
            {locked ? <Spinner /> : <Ellipsis className="size-4" />}
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil />} onSelect={() => setAsked('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={<Tag />} onSelect={() => setAsked('tags')}>
          Tags
        </MenuItem>
        <MenuItem
          icon={running ? <CircleStop /> : <CirclePlay />}
          disabled={locked}
          onSelect={() => void toggle(running)}
        >
          {running ? 'Stop' : 'Start'}
        </MenuItem>
        <MenuItem icon={<CirclePlus />} disabled={locked} onSelect={() => setAsked('top up')}>
          Add Cycles
        </MenuItem>
      </Menu>
      {(asked === 'rename' || asked === 'tags') && (
        <LabelDialog canister={canister} asks={asked} onClose={close} />
      )}
      {asked === 'top up' && (
        <TopUpDialog canister={canister} open onOpenChange={close} onToppedUp={refreshBalance} />
      )}
    </>
  );
}
