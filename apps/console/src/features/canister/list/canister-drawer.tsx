import type { Canister } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { CandidLink } from '../../../components/ui/candid-link.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { SidePanel } from '../../../components/ui/side-panel.tsx';
import { paths } from '../../../config/paths.ts';
import { shown } from '../../../lib/text/formats.ts';
import { CanisterActions } from '../actions/canister-actions.tsx';
import { CanisterFacts } from '../actions/canister-facts.tsx';
import { DeleteCanisterButton } from '../actions/delete-canister-button.tsx';
import { OpenButton } from '../site/open-site.tsx';

interface CanisterDrawerProps {
  /** The selected canister; undefined closes the drawer. */
  readonly canister: Canister | undefined;
  readonly onClose: () => void;
  readonly onBalanceMoved: () => void;
}

/** A canister's facts and actions beside the card grid. */
export function CanisterDrawer({ canister, onClose, onBalanceMoved }: CanisterDrawerProps) {
  return (
    <SidePanel
      open={canister !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={canister ? shown(canister.name) : ''}
    >
      {canister && (
        <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
          <IdText id={canister.id} of="canister id" />
          <CanisterFacts canister={canister} />
          <div className="flex flex-wrap gap-2">
            <CanisterActions
              canister={canister}
              startLabel="Start"
              onBalanceMoved={onBalanceMoved}
              place="drawer"
            />
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <CandidLink id={canister.id} label="Query Canister" />
            <OpenButton canister={canister} size="medium" />
            <Link
              to={paths.canister}
              params={{ id: canister.id }}
              className="text-sm text-accent hover:underline"
            >
              All details
            </Link>
          </div>
          <div className="mt-auto border-t border-line pt-5">
            <DeleteCanisterButton
              canister={canister}
              onDeleted={() => {
                onClose();
                onBalanceMoved();
              }}
              place="drawer"
            />
          </div>
        </div>
      )}
    </SidePanel>
  );
}
