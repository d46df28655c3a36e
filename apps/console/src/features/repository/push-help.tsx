import type { PublicConfig, Repository } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
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

interface ArrivalsProps {
  readonly arrived: readonly Repository[];
  readonly onDeploy: (repository: Repository) => void;
}

/** Waits for a push; each repository that one brings can be deployed from here. Both are as tall, and the last on the page, so that nothing moves. */
function Arrivals({ arrived, onDeploy }: ArrivalsProps) {
  return (
    <div role="status" aria-label="Push" className="mt-3 flex flex-col gap-2">
      {arrived.length === 0 && (
        <p className="flex min-h-14 items-center gap-3 rounded-card border border-line bg-sunken px-4 text-sm text-muted max-sm:min-h-16">
          <Spinner label="Waiting" className="size-4 shrink-0" />
          Waiting for your push. It shows here as soon as it has arrived.
        </p>
      )}
      {arrived.map((repository) => (
        <p
          key={`${repository.owner.login}/${repository.name}`}
          className="flex min-h-14 items-center gap-3 rounded-card border border-ok/40 bg-ok-soft px-4 max-sm:min-h-16"
        >
          <CircleCheck className="size-4 shrink-0 text-ok" aria-hidden="true" />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <b className="font-semibold">{repository.name}</b> has arrived
          </span>
          <Button
            size="small"
            variant="primary"
            aria-label={`Deploy ${repository.name}`}
            onClick={() => onDeploy(repository)}
          >
            Deploy
          </Button>
        </p>
      ))}
    </div>
  );
}

interface PushHelpProps extends ArrivalsProps {
  readonly provider: PublicConfig['git_provider'];
  readonly username: string;
}

/** How to bring a repository of one's own to the git host that ships with the product. */
export function PushHelp({ provider, username, ...arrivals }: PushHelpProps) {
  const address = fillPattern(provider.clone_url_pattern, { owner: username, repo: 'my-project' });
  return (
    <Card className="animate-entrance p-5">
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
            As soon as it has arrived, it is offered here. It is also listed under{' '}
            <Link
              to={paths.deployChoice}
              search={(before) => ({ ...before, from: 'repositories' })}
              className="text-accent underline decoration-1 underline-offset-4"
            >
              My repositories
            </Link>
            , with the button Connect.
          </p>
          <Arrivals {...arrivals} />
        </li>
      </ol>
    </Card>
  );
}
