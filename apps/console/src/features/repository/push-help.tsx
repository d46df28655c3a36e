import type { GitToken, PublicConfig } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { Card } from '../../components/ui/card.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { serverText } from '../../lib/describe-error.ts';
import { fillPattern } from '../../lib/fill-pattern.ts';
import { ago, uploadDate } from '../../lib/formats.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { useCreateGitToken } from './mutations.ts';
import { gitTokensQuery } from './queries.ts';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';

function TokenRow({ token }: { token: GitToken }) {
  const [asks, setAsks] = useState(false);
  return (
    <li className="flex min-h-10 items-center gap-3 border-b border-line py-1 last:border-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{token.label}</span>
        <span className="block text-xs text-muted">
          Created {uploadDate(token.created_at)},{' '}
          {token.last_used_at ? `used ${ago(token.last_used_at)}` : 'never used'}
        </span>
      </span>
      <Button size="small" variant="ghost" onClick={() => setAsks(true)}>
        Revoke
      </Button>
      <RevokeTokenDialog token={token} open={asks} onClose={() => setAsks(false)} />
    </li>
  );
}

function TokenStep() {
  const { data: tokens = [] } = useQuery(gitTokensQuery);
  const create = useCreateGitToken();
  const [label, setLabel] = useState('');
  return (
    <>
      <form
        className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch"
        onSubmit={(event) => {
          event.preventDefault();
          if (label.trim() === '') return;
          create.mutate(label, {
            onSuccess: () => setLabel(''),
            onError: (failure) => toast.error(serverText(failure), { duration: toastDurations.deploy }),
          });
        }}
      >
        <div className="min-w-0 flex-1">
          <TextField
            label="Token name"
            hint="For example the computer you push from"
            value={label}
            onChange={(event) => setLabel(event.target.value)}
          />
        </div>
        <Button type="submit" busy={create.isPending} disabled={label.trim() === ''} className="sm:mt-6.5">
          Create token
        </Button>
      </form>
      {create.data && (
        <div className="mt-3">
          <p className="mb-1.5 text-sm">
            Copy the token '{create.data.label}' now; it is shown this once only.
          </p>
          <CommandBlock text={create.data.secret} label="Copy token" />
        </div>
      )}
      {tokens.length > 0 && (
        <ul aria-label="Access tokens" className="mt-3 border-t border-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
    </>
  );
}

interface PushHelpProps {
  readonly provider: PublicConfig['git_provider'];
  readonly username: string;
}

/** How to bring a repository of one's own to the git host that ships with the product. */
export function PushHelp({ provider, username }: PushHelpProps) {
  const address = fillPattern(provider.clone_url_pattern, { owner: username, repo: 'my-project' });
  return (
    <Card className="animate-entrance p-5">
      <h2 className="text-lg font-semibold">Push your own repository</h2>
      <ol className="mt-4 flex flex-col gap-6">
        <li>
          <h3 className="mb-2 font-medium">1. Create an access token</h3>
          <TokenStep />
        </li>
        <li>
          <h3 className="mb-2 font-medium">2. Push from your project</h3>
          <CommandBlock
            text={`git remote add cannery ${address}\ngit push cannery HEAD`}
            label="Copy git commands"
          />
          <p className="mt-2 text-sm text-muted">
            Put the name you like in the place of <code className="font-mono">my-project</code>; the first
            push creates the repository. When git asks, the username is{' '}
            <code className="font-mono">{username}</code> and the password is the token.
          </p>
        </li>
      </ol>
    </Card>
  );
}
