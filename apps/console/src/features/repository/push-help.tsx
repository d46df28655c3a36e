import type { PublicConfig } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/ui/card.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { paths } from '../../config/paths.ts';
import { fillPattern } from '../../lib/text/fill-pattern.ts';
import { CreateTokenForm, NewTokenSecret } from './create-token-form.tsx';
import { GIT_TOKENS_ID } from './git-tokens-card.tsx';
import { gitTokensQuery, useCreateGitToken } from './repositories.ts';

function AccountLink({ children }: { children: string }) {
  return (
    <Link
      to={paths.account}
      hash={GIT_TOKENS_ID}
      className="text-accent underline decoration-1 underline-offset-4"
    >
      {children}
    </Link>
  );
}

/** Whoever has no token makes one here; afterwards they are kept on the account page. */
function TokenStep() {
  const { data: tokens, isError } = useQuery(gitTokensQuery);
  const create = useCreateGitToken();
  if (create.data) {
    return (
      <div className="flex flex-col gap-2">
        <NewTokenSecret token={create.data} />
        <p className="text-sm text-muted">
          Your tokens are kept on the <AccountLink>Account page</AccountLink>.
        </p>
      </div>
    );
  }
  if (tokens === undefined && !isError) return <Skeleton className="h-9 w-full" />;
  if (tokens === undefined || tokens.length === 0) return <CreateTokenForm create={create} />;
  const count = tokens.length === 1 ? 'an access token' : `${tokens.length} access tokens`;
  return (
    <p className="text-sm">
      You have {count}.{' '}
      <span className="text-muted">
        Create another one on the <AccountLink>Account page</AccountLink>, where tokens are also revoked.
      </span>
    </p>
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
    <Card className="max-w-3xl animate-entrance p-5">
      <h2 className="text-lg font-semibold">Push your own repository</h2>
      <ol className="mt-4 flex flex-col gap-6">
        <li>
          <h3 className="mb-2 font-medium">1. Get an access token</h3>
          <TokenStep />
        </li>
        <li>
          <h3 className="mb-2 font-medium">2. Push from your project</h3>
          <CommandBlock
            text={`git remote add cannery ${address}\ngit push cannery HEAD`}
            label="Copy git commands"
          />
          <p className="mt-2 text-sm text-muted">
            Replace <code className="font-mono">my-project</code> with the name you like; the first push
            creates the repository. When git asks, the username is{' '}
            <code className="font-mono">{username}</code> and the password is the token.
          </p>
        </li>
        <li>
          <h3 className="mb-2 font-medium">3. Deploy it</h3>
          <p className="text-sm text-muted">
            It is listed under{' '}
            <Link
              to={paths.deployChoice}
              search={(before) => ({ ...before, from: 'repositories' })}
              className="text-accent underline decoration-1 underline-offset-4"
            >
              My repositories
            </Link>{' '}
            as soon as it has arrived. Press Connect there.
          </p>
        </li>
      </ol>
    </Card>
  );
}
