import type { ApiToken } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/ui/action-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { ApiError, serverText } from '../../lib/api/api-error.ts';
import { deploysQuery } from '../../lib/shared/deploys.ts';
import { ago } from '../../lib/text/formats.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import {
  apiTokensQuery,
  deploysText,
  expiryText,
  isExpired,
  scopesText,
  useCreateApiToken,
  useDeleteApiToken,
} from './api-tokens.ts';
import { CreateApiTokenDialog } from './create-api-token-dialog.tsx';

interface DeleteApiTokenDialogProps {
  readonly token: ApiToken;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before an API token is deleted, and names it. */
function DeleteApiTokenDialog({ token, open, onClose, onDeleted }: DeleteApiTokenDialogProps) {
  const remove = useDeleteApiToken();
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={`Delete the token '${token.label}'?`}
      description="Programs that use it are refused from then on. Runs that it has started go on. This cannot be undone."
      action="Delete token"
      keep="Keep token"
      danger
      busy={remove.isPending}
      onAction={() =>
        remove.mutate(token.id, {
          onSuccess: () => {
            onClose();
            onDeleted();
          },
          onError: (failure) => toast.tell('token: not deleted', { text: serverText(failure) }),
        })
      }
    />
  );
}

function TokenRow({ token, onDeleted }: { token: ApiToken; onDeleted: () => void }) {
  const [asks, setAsks] = useState(false);
  const { data: deploys = [] } = useQuery({ ...deploysQuery, enabled: token.deploy_ids !== null });
  const use = token.last_used_at === null ? 'never used' : `used ${ago(token.last_used_at)}`;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <span className="min-w-0 truncate">{token.label}</span>
          {isExpired(token) && <Chip tone="bad">Expired</Chip>}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {scopesText(token.scopes)} ({deploysText(token.deploy_ids, deploys)}), {expiryText(token)}, {use}
        </p>
      </div>
      <Button size="small" aria-label={`Delete token: ${token.label}`} onClick={() => setAsks(true)}>
        Delete
      </Button>
      <DeleteApiTokenDialog token={token} open={asks} onClose={() => setAsks(false)} onDeleted={onDeleted} />
    </li>
  );
}

/** Tokens by which programs start and read deploys. */
export function ApiTokensCard() {
  const { data, error, refetch } = useQuery(apiTokensQuery);
  const create = useCreateApiToken();
  const [creating, setCreating] = useState(false);
  // A service that knows no such tokens has nothing to show here.
  if (error instanceof ApiError && error.status === 404) return null;
  return (
    <Card className="animate-entrance" aria-label="API tokens">
      <CardHeader
        title="API tokens"
        note="For the command line in CI: they start and read deploys."
        actions={
          <Button size="small" disabled={data === undefined} onClick={() => setCreating(true)}>
            Create token
          </Button>
        }
      />
      {create.data && (
        <div className="border-t border-line px-5 py-3">
          <p className="mb-1.5 text-sm wrap-anywhere">
            Copy the token '{create.data.label}' now; it is shown only once.
          </p>
          <CommandBlock text={create.data.secret} label="Copy token" />
        </div>
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title="Cannot load API tokens."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      )}
      {data === undefined && error === null && (
        <div className="border-t border-line px-5 py-3">
          <Skeleton className="h-8 w-56" />
        </div>
      )}
      {data?.length === 0 && (
        <p className="border-t border-line px-5 py-4 text-sm text-muted">
          No API tokens yet. Create one to deploy from CI with the command line.
        </p>
      )}
      <ul>
        {data?.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            // The secret of a token that is gone need not be copied.
            onDeleted={() => create.data?.id === token.id && create.reset()}
          />
        ))}
      </ul>
      <CreateApiTokenDialog create={create} open={creating} onClose={() => setCreating(false)} />
    </Card>
  );
}
