import type { DappInstance } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { use, useEffect, useRef, useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { InstallArguments } from '../../../components/ui/install-arguments.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { ProgressBar } from '../../../components/ui/progress-bar.tsx';
import { type ArgumentDraft, ArgumentsContext, openDraft } from '../../../lib/shared/argument-draft.ts';
import { describeError } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { confirmationOf } from '../install/install-risk.ts';
import { ModuleReport } from '../install/module-report.tsx';
import { updateInspectionQuery, useUpgradeInstance } from './instances.ts';
import { UpdateFacts } from './dapp-facts.tsx';

interface UpgradeDialogProps {
  readonly instance: DappInstance;
  readonly update: NonNullable<DappInstance['update']>;
  readonly onClose: () => void;
}

/** The inputs for the arguments of an upgrade, where the new module takes some. */
function useArguments(candid: string | null | undefined) {
  const load = use(ArgumentsContext);
  const [draft, setDraft] = useState<ArgumentDraft>();
  useEffect(() => {
    let isOpen = true;
    void openDraft(load, candid).then((opened) => {
      if (isOpen && opened !== undefined && opened.count > 0) setDraft(opened);
    });
    return () => {
      isOpen = false;
    };
  }, [load, candid]);
  return [draft, setDraft] as const;
}

/** Says what the newest version of a dapp would mean for a canister, and upgrades it. */
export function UpgradeDialog({ instance, update, onClose }: UpgradeDialogProps) {
  const { canister_id: id, canister_name: name } = instance;
  const upgrade = useUpgradeInstance(id);
  const check = useQuery(updateInspectionQuery(id, update.identifier));
  const { data: inspection, isPending } = check;
  const [draft, setDraft] = useArguments(inspection?.init_args);
  const [confirmed, setConfirmed] = useState(false);
  const inputs = useRef<HTMLDivElement>(null);
  const confirmation = confirmationOf(inspection, 'upgrade');
  const isHeld = confirmation !== undefined && !confirmed;

  const submit = (): void => {
    if (isHeld || isPending || upgrade.isPending) return;
    const read = draft?.read();
    if (read !== undefined && !read.ok) {
      setDraft(read.draft);
      requestAnimationFrame(() => inputs.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    upgrade.mutate(
      { identifier: update.identifier, argument: read?.hex },
      {
        onSuccess: () => {
          toast.tell('dapp: upgraded', { text: `Upgraded to v${update.version}` });
          onClose();
        },
      },
    );
  };

  return (
    <ActionDialog
      onClose={onClose}
      wide
      title={`Upgrade to v${update.version}`}
      description={
        <>
          <b className="font-semibold text-ink">{name}</b> stops for a moment, and a snapshot of its code and
          data is taken first, to which you can go back.
        </>
      }
      action="Upgrade"
      busy={upgrade.isPending}
      disabled={isPending || isHeld}
      onAction={submit}
    >
      <UpdateFacts instance={instance} update={update} />
      {isPending && <ProgressBar label="Comparing it with the installed code" done={undefined} />}
      {check.isLoadingError && (
        <Notice tone="info" title="The module could not be checked">
          <p className="wrap-anywhere text-muted">
            {describeError(check.error).reason} The canister can be upgraded anyway.
          </p>
          <Button size="small" className="mt-2" onClick={() => void check.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {inspection && <ModuleReport inspection={inspection} mode="upgrade" />}
      {draft && (
        <div ref={inputs}>
          <InstallArguments
            draft={draft}
            onDraft={setDraft}
            text=""
            onText={() => undefined}
            disabled={upgrade.isPending}
          />
        </div>
      )}
      {confirmation !== undefined && (
        <label className="flex cursor-pointer gap-2.5 rounded-card border border-bad/40 px-3.5 py-2.5">
          <input
            type="checkbox"
            disabled={upgrade.isPending}
            checked={confirmed}
            onChange={(event) => setConfirmed(event.target.checked)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>Upgrade anyway: {confirmation}.</span>
        </label>
      )}
      {upgrade.isError && !upgrade.isPending && (
        <FailureNotice title="The canister was not upgraded" error={upgrade.error} />
      )}
    </ActionDialog>
  );
}
