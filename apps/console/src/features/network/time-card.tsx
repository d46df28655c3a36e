import type { EmbeddedNetwork } from '@cannery/contract';
import { useEffect, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { AdvanceDialog } from './advance-dialog.tsx';
import { aheadText, type TypedSpan } from './spans.ts';

/** The time of the network, which goes on between two answers. @param answeredAt when this computer was told `time`, in milliseconds */
function useTicking(time: string, answeredAt: number): Date {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return new Date(Date.parse(time) + Math.max(0, now - answeredAt));
}

const choices: readonly { readonly label: string; readonly span: TypedSpan }[] = [
  { label: 'an hour', span: { amount: '1', unit: 'hours' } },
  { label: 'a day', span: { amount: '1', unit: 'days' } },
  { label: 'another amount', span: { amount: '10', unit: 'minutes' } },
];

interface TimeCardProps {
  readonly network: EmbeddedNetwork;
  /** When the network was asked, in milliseconds since 1970 by the clock of this computer. */
  readonly answeredAt: number;
}

/** The clock of the network, and where it may be set ahead the way to do that. */
export function TimeCard({ network, answeredAt }: TimeCardProps) {
  const [asks, setAsks] = useState<TypedSpan>();
  const [done, setDone] = useState<string>();
  const now = useTicking(network.time, answeredAt);
  const ahead = network.ahead_seconds;
  return (
    <Card className="animate-entrance" aria-label="Time">
      <CardHeader title="Time" />
      <div className="flex flex-col gap-3 border-t border-line px-5 py-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <time dateTime={network.time} className="text-xl font-semibold tabular-nums">
            {now.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })}
          </time>
          {network.advancing ? (
            <Chip tone="info" busy>
              On its way
            </Chip>
          ) : (
            ahead > 0 && <Chip tone="info">{aheadText(ahead)} ahead of this computer</Chip>
          )}
        </p>
        {network.controllable ? (
          <div role="group" aria-label="Advance time by" className="flex flex-wrap items-center gap-2">
            <span aria-hidden="true" className="text-sm text-muted">
              Advance time by
            </span>
            {choices.map(({ label, span }) => (
              <Button
                key={label}
                size="small"
                aria-label={`Advance time by ${label}`}
                disabled={network.advancing}
                onClick={() => setAsks(span)}
              >
                {label}
              </Button>
            ))}
          </div>
        ) : (
          <p className="text-sm text-pretty text-muted">
            Others can reach this network, so its time is nobody's to change here.
          </p>
        )}
        <p role="status" className="text-sm text-muted empty:hidden">
          {done !== undefined && `Time was set ahead by ${done}.`}
        </p>
      </div>
      {asks && <AdvanceDialog start={asks} onClose={() => setAsks(undefined)} onAdvanced={setDone} />}
    </Card>
  );
}
