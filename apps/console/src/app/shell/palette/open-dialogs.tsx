import type { Canister, Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { useCopy } from '../../../components/ui/copy-button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { Spinner } from '../../../components/ui/spinner.tsx';
import { paths } from '../../../config/paths.ts';
import { useAccountRefresh } from '../../../features/account/use-account-refresh.ts';
import { isRunning } from '../../../features/canister/api/canister-state.ts';
import { useToggleRunning } from '../../../features/canister/actions/use-toggle-running.ts';
import { InstallDialog } from '../../../features/canister/install/install-dialog.tsx';
import { TopUpDialog } from '../../../features/canister/payment/top-up-dialog.tsx';
import { canRollBack, liveRun } from '../../../features/deploy/api/instances.ts';
import { deployQuery, instancesQuery } from '../../../features/deploy/api/queries.ts';
import { RollBackDialog } from '../../../features/deploy/run/roll-back-dialog.tsx';
import { useStartRun } from '../../../features/deploy/run/use-start-run.ts';
import { describeError } from '../../../lib/api/api-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import type { OpenDialog } from './deeds.ts';

interface PartProps {
  readonly onClose: () => void;
}

/** Does something once, and goes when that is done. */
function useOnce(act: () => Promise<unknown>, onDone: () => void): void {
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void act().finally(onDone);
  }, [act, onDone]);
}

/** Stops a canister or starts it; toasts tell how that went, as on its page. */
function Toggle({ canister, onClose }: PartProps & { canister: Canister }) {
  const { toggle } = useToggleRunning(canister.id);
  useOnce(
    useCallback(() => toggle(isRunning(canister)), [toggle, canister]),
    onClose,
  );
  return null;
}

/** Copies a text, or shows it where the browser refuses. */
function Copy({ text, what, onClose }: PartProps & { text: string; what: string }) {
  const { copy, byHand } = useCopy();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void copy(text).then((isCopied) => {
      if (!isCopied) return;
      toast.tell('palette: copied', { text: `${what} is in the clipboard` });
      onClose();
    });
  }, [copy, text, what, onClose]);
  return byHand;
}

/** Starts a run and shows its deploy. */
function StartRun({ deploy: { id }, onClose }: PartProps & { deploy: Deploy }) {
  const navigate = useNavigate();
  const show = useCallback(() => void navigate({ to: paths.deploy, params: { id } }), [navigate, id]);
  const { start } = useStartRun(id, show);
  useOnce(
    useCallback(() => start(), [start]),
    onClose,
  );
  return null;
}

/** Says why there is nothing to ask. */
function Told({ title, children, onClose }: PartProps & { title: string; children: ReactNode }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="text-sm">{children}</div>
    </Dialog>
  );
}

/** Asks whether a deploy is to go back to its newest run that it can go back to. */
function RollBackDeploy({ deploy, onClose }: PartProps & { deploy: Deploy }) {
  const runs = useQuery(instancesQuery(deploy.id));
  // What the dialog asks depends on the settings of the deploy.
  const current = useQuery(deployQuery(deploy.id));
  const title = `Roll back ${shown(deploy.name)}`;
  const failure = runs.error ?? current.error;
  if (failure !== null) {
    const { reason, nextStep } = describeError(failure);
    return (
      <Told title={title} onClose={onClose}>
        {reason} {nextStep}
      </Told>
    );
  }
  if (runs.data === undefined || current.data === undefined) {
    return (
      <Told title={title} onClose={onClose}>
        <Spinner label="Looking for the run before" />
      </Told>
    );
  }
  const live = liveRun(runs.data, current.data.live_run);
  const earlier = runs.data.find((run) => canRollBack(run, live));
  if (earlier === undefined) {
    return (
      <Told title={title} onClose={onClose}>
        There is no earlier run whose result is kept: what is live is all there is.
      </Told>
    );
  }
  return <RollBackDialog run={earlier} live={live} open onOpenChange={(open) => !open && onClose()} />;
}

/** The dialog of an action that was chosen in the palette, or the action itself where nothing is asked. */
export function OpenDialogs({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  const account = useAccountRefresh();
  const onOpenChange = (open: boolean): void => {
    if (!open) onClose();
  };
  switch (dialog.kind) {
    case 'top-up':
      return (
        <TopUpDialog
          canister={dialog.canister}
          open
          onOpenChange={onOpenChange}
          onToppedUp={account.balanceMoved}
        />
      );
    case 'install':
      return (
        <InstallDialog canister={dialog.canister} onClose={onClose} onInstalled={account.balanceMoved} />
      );
    case 'copy':
      return <Copy text={dialog.text} what={dialog.what} onClose={onClose} />;
    case 'toggle':
      return <Toggle canister={dialog.canister} onClose={onClose} />;
    case 'roll back':
      return <RollBackDialog run={dialog.run} live={dialog.live} open onOpenChange={onOpenChange} />;
    case 'roll back deploy':
      return <RollBackDeploy deploy={dialog.deploy} onClose={onClose} />;
    case 'start run':
      return <StartRun deploy={dialog.deploy} onClose={onClose} />;
  }
}
