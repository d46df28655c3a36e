import { GITHUB_PATH, type PublicConfig } from '@cannery/contract';
import { SquareArrowOutUpRight } from 'lucide-react';
import { buttonClass } from '../../components/ui/button-class.ts';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';

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
