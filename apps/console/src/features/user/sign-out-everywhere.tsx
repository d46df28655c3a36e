import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { session } from '../../lib/session/current-session.ts';
import { serverText } from '../../lib/api/describe-error.ts';
import { toast } from '../../lib/toasts/toast-store.ts';

interface SignOutEverywhereProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Asks before all sessions end. */
export function SignOutEverywhere({ open, onOpenChange }: SignOutEverywhereProps) {
  const [busy, setBusy] = useState(false);
  const signOut = async (): Promise<void> => {
    setBusy(true);
    try {
      await session.signOutEverywhere();
    } catch (failure) {
      setBusy(false);
      toast.tell('session: none ended', { text: serverText(failure) });
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      locked={busy}
      title="Sign out everywhere?"
      description="All sessions end at once, this one too. Access tokens for git and API tokens stay as they are."
      onSubmit={() => void signOut()}
      footer={
        <>
          <Button type="submit" variant="danger" busy={busy}>
            Sign out everywhere
          </Button>
          <Button disabled={busy} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
        </>
      }
    />
  );
}
