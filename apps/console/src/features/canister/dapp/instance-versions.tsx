import type { DappInstance } from '@cannery/contract';
import { ArrowUpCircle, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { GoBackDialog } from './go-back-dialog.tsx';
import { UpgradeDialog } from './upgrade-dialog.tsx';

/** Which version of its dapp a canister has, what is said about that, and the ways to a newer one and back. */
export function InstanceVersions({ instance, children }: { instance: DappInstance; children?: ReactNode }) {
  const [asked, setAsked] = useState<'upgrade' | 'back'>();
  const { update, way_back: wayBack, version, withdrawn } = instance;
  const close = (): void => setAsked(undefined);
  return (
    <>
      <span className="tabular-nums">v{version}</span>
      {children}
      {withdrawn && <Chip tone="neutral">No longer in the marketplace</Chip>}
      {update && <Chip tone="info">Update available: v{update.version}</Chip>}
      {update && (
        <Button size="small" onClick={() => setAsked('upgrade')}>
          <ArrowUpCircle className="size-4" aria-hidden="true" />
          Upgrade
        </Button>
      )}
      {wayBack && (
        <Button size="small" onClick={() => setAsked('back')}>
          <Undo2 className="size-4" aria-hidden="true" />
          Go back to v{wayBack.version}
        </Button>
      )}
      {asked === 'upgrade' && update && <UpgradeDialog instance={instance} update={update} onClose={close} />}
      {asked === 'back' && wayBack && <GoBackDialog instance={instance} wayBack={wayBack} onClose={close} />}
    </>
  );
}
