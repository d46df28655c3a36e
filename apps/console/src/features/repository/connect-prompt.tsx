import { SquareArrowOutUpRight } from 'lucide-react';
import { buttonClass } from '../../components/ui/button-class.ts';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';

/** Stands in the place of the repository list while there is none. */
export function ConnectPrompt({ providerName, installUrl }: { providerName: string; installUrl: string }) {
  return (
    <Card className="animate-entrance">
      <EmptyState
        title="Connect a repository"
        hint="Your repositories are listed here as soon as an account is connected."
        action={
          <a
            href={installUrl}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ variant: 'primary' })}
          >
            Connect with {providerName}
            <SquareArrowOutUpRight className="size-4" aria-hidden="true" />
          </a>
        }
      />
    </Card>
  );
}
