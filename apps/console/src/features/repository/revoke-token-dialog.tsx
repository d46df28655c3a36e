import type { GitToken } from '@cannery/contract';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { serverText } from '../../lib/api/describe-error.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { useRevokeGitToken } from './mutations.ts';

interface RevokeTokenDialogProps {
  readonly token: GitToken;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Asks before an access token is revoked, and names it. */
export function RevokeTokenDialog({ token, open, onClose, onRevoked }: RevokeTokenDialogProps) {
  const revoke = useRevokeGitToken();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      locked={revoke.isPending}
      title={`Revoke the token '${token.label}'?`}
      description="Whoever pushes or clones with it is refused from then on. This cannot be undone."
      onSubmit={() =>
        revoke.mutate(token.id, {
          onSuccess: () => {
            onClose();
            onRevoked();
          },
          onError: (failure) => toast.tell('token: not deleted', { text: serverText(failure) }),
        })
      }
      footer={
        <>
          <Button type="submit" variant="danger" busy={revoke.isPending}>
            Revoke token
          </Button>
          <Button disabled={revoke.isPending} onClick={onClose}>
            Keep token
          </Button>
        </>
      }
    />
  );
}
