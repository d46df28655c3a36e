import type { Deploy, DeployInstance } from '@cannery/contract';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { isLost } from '../../../lib/api/api-error.ts';
import { leftWithConsent, neededNames } from '../api/instances.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { NotSaved } from '../settings/not-saved.tsx';
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
  const ask = (): void => {
    // What came of the last try is no news.
    save.reset();
    setOpen(true);
  };
  const agree = async (): Promise<void> => {
    const without = new Set([...leftWithConsent(deploy), ...names]);
    const isSaved = await saveAndTell(save.mutateAsync({ deploy_without: [...without] }));
    if (!isSaved) return;
    setOpen(false);
    onTrigger(run.chosen_canisters ?? []);
  };
  return (
    <>
      <Button size="small" disabled={busy} onClick={ask}>
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
      >
        {save.isError && !isLost(save.error) ? <NotSaved failure={save.error} /> : undefined}
      </ActionDialog>
    </>
  );
}
