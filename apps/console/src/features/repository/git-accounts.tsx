import { GITHUB_PATH, type PublicConfig, type Repository } from '@cannery/contract';
import { SquareArrowOutUpRight } from 'lucide-react';
import { buttonClass } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { fillPattern } from '../../lib/text/fill-pattern.ts';

export interface GitAccount {
  readonly login: string;
  readonly repositories: number;
}

/** The accounts that own the repositories, with the count of each, in order of first appearance. */
export function accountsOf(list: readonly Repository[]): GitAccount[] {
  const counts = new Map<string, number>();
  for (const { owner } of list) counts.set(owner.login, (counts.get(owner.login) ?? 0) + 1);
  return [...counts].map(([login, repositories]) => ({ login, repositories }));
}

interface GitAccountsProps {
  readonly repositories: readonly Repository[];
  readonly provider: PublicConfig['git_provider'];
  /** The provider's app-installation page, with the user and the deploy type in its state. */
  readonly installUrl: string;
}

/** The git accounts behind the repositories, and the way to connect more. */
export function GitAccounts({ repositories, provider, installUrl }: GitAccountsProps) {
  return (
    <Card className="animate-entrance p-5">
      <h2 className="text-lg font-semibold">Git accounts</h2>
      <ul className="mt-2 flex flex-col">
        {accountsOf(repositories).map(({ login, repositories: count }) => (
          <li key={login} className="flex min-h-9 items-center justify-between gap-3">
            <a
              href={fillPattern(provider.account_url_pattern, { owner: login })}
              target="_blank"
              rel="noreferrer"
              className="truncate font-medium text-accent hover:underline"
            >
              {login}
            </a>
            <span className="text-sm whitespace-nowrap text-muted">
              {count} {count === 1 ? 'repo' : 'repos'}
            </span>
          </li>
        ))}
      </ul>
      <a
        href={installUrl}
        target="_blank"
        rel="noreferrer"
        className={buttonClass({ size: 'small', className: 'mt-3 w-full' })}
      >
        Configure account
        <SquareArrowOutUpRight className="size-3.5 text-muted" aria-hidden="true" />
      </a>
    </Card>
  );
}

interface ConnectPromptProps {
  /** Undefined where the service does not tell of one. */
  readonly provider: PublicConfig['git_provider'] | undefined;
  readonly installUrl: string;
  /** Whether connecting is what the place is for, and not the other way beside it. */
  readonly main?: boolean;
}

/** Shown instead of the repository list while there is none. */
export function ConnectPrompt({ provider, installUrl, main = true }: ConnectPromptProps) {
  return (
    <Card className="animate-entrance">
      <EmptyState
        drawing="repositories"
        title="Connect a repository"
        hint={
          provider?.embedded
            ? 'Take a template, or push your own repository; it is listed under My repositories at once.'
            : 'Your repositories are listed here as soon as an account is connected.'
        }
        action={
          provider && (
            <div className="flex flex-wrap justify-center gap-2">
              <a
                href={installUrl}
                target="_blank"
                rel="noreferrer"
                className={buttonClass({ variant: main ? 'primary' : 'secondary' })}
              >
                Connect with {provider.name}
                <SquareArrowOutUpRight className="size-4" aria-hidden="true" />
              </a>
              {provider.install_url === `${window.location.origin}${GITHUB_PATH}` && (
                <a
                  href={`${installUrl}&way=authorize`}
                  target="_blank"
                  rel="noreferrer"
                  className={buttonClass()}
                >
                  The app is installed already
                </a>
              )}
            </div>
          )
        }
      />
    </Card>
  );
}
