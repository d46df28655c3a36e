import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { samplesQuery } from './api/queries.ts';
import { offerSamples, type SampleOffer, useSampleOffer } from './sample-offer.ts';

function progressText({ names, done }: SampleOffer): string {
  return `Compiling sample ${done + 1} of ${names.length}`;
}

/** Puts the dapps that come with the product into the marketplace, one after the other; nothing where there are none. */
export function OfferSamples() {
  const client = useQueryClient();
  const offer = useSampleOffer();
  const { data: samples } = useQuery(samplesQuery);
  if (samples === undefined || samples.length === 0) return null;
  const isRunning = offer !== undefined && offer.failure === undefined;
  const start = (): void =>
    void offerSamples(
      client,
      samples.map(({ name }) => name),
    );
  return (
    <Button disabled={isRunning} onClick={start}>
      {isRunning ? progressText(offer) : `Offer ${samples.length} sample dapps`}
    </Button>
  );
}

interface ComingSampleProps {
  readonly name: string;
  readonly offer: SampleOffer;
}

/** The place of a sample that is not there yet, in the grid where it will be. */
export function ComingSample({ name, offer }: ComingSampleProps) {
  const client = useQueryClient();
  const { names, done, failure } = offer;
  const isNext = names[done] === name;
  return (
    // As tall as the card that takes its place.
    <div className="flex h-full min-h-47.5 flex-col gap-3 rounded-card border border-dashed border-control/60 p-4 max-sm:min-h-50.5">
      <div className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-card bg-ink/6 text-muted"
        >
          <Package className="size-6" strokeWidth={1.5} />
        </span>
        <p className="min-w-0 truncate font-semibold text-muted">{name}</p>
      </div>
      {!isNext && <p className="text-sm text-muted">Waiting</p>}
      {isNext && failure === undefined && (
        <ProgressBar label={progressText(offer)} done={done / names.length} />
      )}
      {isNext && failure !== undefined && (
        <>
          <p className="text-sm wrap-anywhere text-bad">{failure}</p>
          <Button
            size="small"
            className="mt-auto self-start"
            onClick={() => void offerSamples(client, names, done)}
          >
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
