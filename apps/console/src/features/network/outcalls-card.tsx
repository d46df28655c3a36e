import type { EmbeddedNetwork } from '@cannery/contract';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { FailureNotice } from '../../components/ui/failure-notice.tsx';
import { useChosen } from '../../lib/browser/use-chosen.ts';
import { useOutcalls } from './network-query.ts';

/** Whether canisters may call out; where it may be changed, with a switch. */
export function OutcallsCard({ network }: { network: EmbeddedNetwork }) {
  const change = useOutcalls();
  const { outcalls: isOn, controllable } = network;
  const { shown, isChanging, choose } = useChosen(isOn, change);
  return (
    <Card className="animate-entrance" aria-label="HTTP requests of canisters">
      <CardHeader title="HTTP requests of canisters" />
      <div className="flex flex-col gap-2 border-t border-line px-5 py-4">
        {controllable ? (
          <label className="flex min-h-6 cursor-pointer items-center gap-2 font-medium max-sm:min-h-11">
            <input
              type="checkbox"
              role="switch"
              checked={shown}
              disabled={isChanging}
              onChange={(event) => choose(event.target.checked)}
              className="size-4 accent-accent"
            />
            Canisters may call out (HTTPS outcalls)
          </label>
        ) : (
          <p className="font-medium">Canisters {isOn ? 'may' : 'may not'} call out (HTTPS outcalls).</p>
        )}
        <p className="text-sm text-pretty text-muted">
          They reach public addresses only, never this computer or its surroundings.{' '}
          {controllable
            ? 'What you choose stays when the network is started again.'
            : 'Others can reach this network, so the setting NETWORK_OUTCALLS alone says so.'}
        </p>
        {change.isError && <FailureNotice title="That was not changed." error={change.error} />}
      </div>
    </Card>
  );
}
