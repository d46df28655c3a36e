import type { ApiToken } from '@cannery/contract';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { serverText } from '../../lib/api/describe-error.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { useDeleteApiToken } from './api-tokens.ts';

interface DeleteApiTokenDialogProps {
  readonly token: ApiToken;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before an API token is deleted, and names it. */
export function DeleteApiTokenDialog({ token, open, onClose, onDeleted }: DeleteApiTokenDialogProps) {
  const remove = useDeleteApiToken();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      locked={remove.isPending}
      title={`Delete the token '${token.label}'?`}
      description="Programs that use it are refused from then on. Runs that it has started go on. This cannot be undone."
      onSubmit={() =>
        remove.mutate(token.id, {
          onSuccess: () => {
            onClose();
            onDeleted();
          },
          onError: (failure) => toast.tell('token: not deleted', { text: serverText(failure) }),
        })
      }
      footer={
        <>
          <Button type="submit" variant="danger" busy={remove.isPending}>
            Delete token
          </Button>
          <Button disabled={remove.isPending} onClick={onClose}>
            Keep token
          </Button>
        </>
      }
    />
  );
}
