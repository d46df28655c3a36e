import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { canisterDetailsQuery } from '../api/queries.ts';
import { SettingsForm } from './settings-form.tsx';

/** The settings of a canister as the network has them, to be changed. */
export function CanisterSettings({ canisterId }: { canisterId: string }) {
  const { data, error, isPending, refetch } = useQuery(canisterDetailsQuery(canisterId));
  if (isPending) {
    return (
      <Card className="p-5">
        <div role="status" aria-label="Loading settings" className="grid gap-5 md:grid-cols-2">
          {[0, 1, 2, 3, 4, 5].map((field) => (
            <Skeleton key={field} className="h-14" />
          ))}
        </div>
      </Card>
    );
  }
  if (data === undefined) {
    return (
      <Card>
        <ErrorState
          title="The settings cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Card>
    );
  }
  return <SettingsForm key={canisterId} details={data} />;
}
