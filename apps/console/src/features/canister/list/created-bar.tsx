import type { Canister } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { PackagePlus, X } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { paths } from '../../../config/paths.ts';
import { useStore } from '../../../lib/browser/store.ts';
import { shown } from '../../../lib/text/formats.ts';
import { moduleHashes } from '../api/canister-state.ts';
import { createdCanister } from '../create/create-canister-dialog.tsx';
import { InstallDialog } from '../install/install-dialog.tsx';
import { useCanisterLocked } from '../api/mutations.ts';

interface CreatedBarProps {
  readonly canisters: readonly Canister[] | undefined;
  readonly onBalanceMoved: () => void;
}

interface BarProps extends Pick<CreatedBarProps, 'onBalanceMoved'> {
  readonly canister: Canister;
}

function Bar({ canister, onBalanceMoved }: BarProps) {
  const [installing, setInstalling] = useState(false);
  const locked = useCanisterLocked(canister.id);
  const { id } = canister;
  const name = shown(canister.name);
  const isEmpty = moduleHashes(canister.module_hash).length === 0;
  const done = (): void => createdCanister.set(undefined);
  return (
    <section
      aria-label="New canister"
      data-bar="bottom"
      className="fixed inset-x-4 bottom-[calc(1rem+var(--foot))] z-20 mx-auto flex max-w-xl flex-wrap items-center justify-end gap-2 rounded-card border border-line bg-raised py-2 pr-2 pl-4 shadow-float"
    >
      <p role="status" className="mr-auto flex min-w-0 flex-1 gap-1 max-sm:basis-full">
        <span title={name} className="truncate font-medium">
          {name}
        </span>{' '}
        <span className="shrink-0 text-muted">{isEmpty ? 'has no code yet.' : 'has its code.'}</span>
      </p>
      {isEmpty && (
        <Button variant="primary" size="small" disabled={locked} onClick={() => setInstalling(true)}>
          <PackagePlus className="size-4" />
          Install code
        </Button>
      )}
      <Link to={paths.canister} params={{ id }} onClick={done} className={buttonClass({ size: 'small' })}>
        Open
      </Link>
      <IconButton label="Not now" size="small" onClick={done}>
        <X className="size-4" />
      </IconButton>
      {installing && (
        <InstallDialog
          canister={canister}
          onClose={() => setInstalling(false)}
          onInstalled={onBalanceMoved}
        />
      )}
    </section>
  );
}

/** What to do next with the canister that was just created; floats, so that the list stays where it is. */
export function CreatedBar({ canisters, onBalanceMoved }: CreatedBarProps) {
  const created = useStore(createdCanister);
  const canister = canisters?.find(({ id }) => id === created);
  if (canister === undefined) return null;
  // Outside the page: what moves in while the page opens would hold it, and it would cover the list.
  return createPortal(
    <Bar key={canister.id} canister={canister} onBalanceMoved={onBalanceMoved} />,
    document.body,
  );
}
