import type { Deploy, DeployInstance } from '@cannery/contract';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { isLost } from '../../../lib/api/api-error.ts';
import { leftWithConsent, neededNames } from '../api/instances.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { saveAndTell } from '../settings/save-settings.ts';

interface DeployWithoutButtonProps {
  readonly deploy: Deploy;
  readonly run: DeployInstance;
  readonly busy: boolean;
  readonly onTrigger: (canisters: readonly string[]) => void;
}

/**
 * Deploys the rest of a project whose run has failed since canisters are needed that are not deployed. The consent is kept
 * with the deploy.
 */
export function DeployWithoutButton({ deploy, run, busy, onTrigger }: DeployWithoutButtonProps) {
  const [open, setOpen] = useState(false);
  const save = useSaveSettings(deploy);
  const names = neededNames(run);
  if (names.length === 0) return null;
  const listed = names.join(', ');
  const agree = async (): Promise<void> => {
    const without = new Set([...leftWithConsent(deploy), ...names]);
    const saving = save.mutateAsync({ deploy_without: [...without] });
    const isSaved = await saveAndTell(saving);
    if (!isSaved && isLost(await saving.catch((failure: unknown) => failure))) return;
    setOpen(false);
    if (isSaved) onTrigger(run.chosen_canisters ?? []);
  };
  return (
    <>
      <Button size="small" disabled={busy} onClick={() => setOpen(true)}>
        Deploy without {names.length > 2 ? `${names.length} canisters` : listed}
      </Button>
      <ActionDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Deploy without ${listed}?`}
        description="The rest of the project goes live, and what needs the canisters that are left out fails. Later runs do the same until you change it in the settings of the deploy."
        action="Deploy the rest"
        keep="Deploy nothing"
        busy={save.isPending}
        onAction={() => void agree()}
      />
    </>
  );
}
