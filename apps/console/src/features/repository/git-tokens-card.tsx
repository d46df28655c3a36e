import type { GitToken } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/ui/action-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { serverText } from '../../lib/api/api-error.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { ago, uploadDate } from '../../lib/text/formats.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { CreateTokenForm, NewTokenSecret } from './create-token-form.tsx';
import { gitTokensQuery, useCreateGitToken, useRevokeGitToken } from './repositories.ts';

interface RevokeTokenDialogProps {
  readonly token: GitToken;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Asks before an access token is revoked, and names it. */
function RevokeTokenDialog({ token, open, onClose, onRevoked }: RevokeTokenDialogProps) {
  const revoke = useRevokeGitToken();
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={`Revoke the token '${token.label}'?`}
      description="Whoever pushes or clones with it is refused from then on. This cannot be undone."
      action="Revoke token"
      keep="Keep token"
      danger
      busy={revoke.isPending}
      onAction={() =>
        revoke.mutate(token.id, {
          onSuccess: () => {
            onClose();
            onRevoked();
          },
          onError: (failure) => toast.tell('token: not deleted', { text: serverText(failure) }),
        })
      }
    />
  );
}

/** Where the card is on its page. */
export const GIT_TOKENS_ID = 'access-tokens';

function TokenRow({ token, onRevoked }: { token: GitToken; onRevoked: () => void }) {
  const [asks, setAsks] = useState(false);
  const use = token.last_used_at === null ? 'never used' : `used ${ago(token.last_used_at)}`;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">{token.label}</p>
        <p className="text-sm text-muted">
          Created {uploadDate(token.created_at)}, {use}
        </p>
      </div>
      <Button size="small" aria-label={`Revoke token: ${token.label}`} onClick={() => setAsks(true)}>
        Revoke
      </Button>
      <RevokeTokenDialog token={token} open={asks} onClose={() => setAsks(false)} onRevoked={onRevoked} />
    </li>
  );
}

function LoadedTokens() {
  const { data, error, refetch } = useQuery(gitTokensQuery);
  const create = useCreateGitToken();
  const [adds, setAdds] = useState(false);
  return (
    <Card id={GIT_TOKENS_ID} className="animate-entrance scroll-mt-20" aria-label="Access tokens for git">
      <CardHeader
        title="Access tokens for git"
        note="The password when you push to this console and clone from it."
        actions={
          <Button
            size="small"
            disabled={data === undefined}
            aria-expanded={adds}
            onClick={() => setAdds(!adds)}
          >
            New access token
          </Button>
        }
      />
      {(adds || create.data) && (
        <div className="flex flex-col gap-4 border-t border-line px-5 py-4">
          {adds && <CreateTokenForm create={create} />}
          {create.data && <NewTokenSecret token={create.data} />}
        </div>
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title="Cannot load access tokens."
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
          No access tokens yet. Create one to push your repository.
        </p>
      )}
      <ul aria-label="Access tokens">
        {data?.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            // The secret of a token that is gone need not be copied.
            onRevoked={() => create.data?.id === token.id && create.reset()}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Access tokens by which git pushes to the git host that ships with the product; nothing where that is another one. */
export function GitTokensCard() {
  const config = usePublicConfig();
  return config?.git_provider.embedded ? <LoadedTokens /> : null;
}
