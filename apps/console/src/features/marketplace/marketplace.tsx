import type { Dapp } from '@cannery/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Plus, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { useSettled } from '../../lib/browser/use-settled.ts';
import { useAddressFields } from '../../lib/table/address-fields.ts';
import { failedList } from '../../lib/table/rows.ts';
import {
  type DappsView,
  fieldsOf,
  firstView,
  isNarrowed,
  pageOfAnswer,
  readView,
  viewFields,
} from './api/dapps-view.ts';
import { dappsQuery } from './api/queries.ts';
import { DappCard } from './card/dapp-card.tsx';
import { DappDialog } from './dapp-dialog/dapp-dialog.tsx';
import { MarketplaceToolbar } from './marketplace-toolbar.tsx';
import { ComingSample, OfferSamples } from './offer-samples.tsx';
import { type SampleOffer, samplesToCome, useSampleOffer } from './sample-offer.ts';

interface PageStepsProps {
  /** From 0. */
  readonly page: number;
  readonly hasNext: boolean;
  readonly onPage: (page: number) => void;
}

/** The way to the pages beside; nothing where there is one page only. */
function PageSteps({ page, hasNext, onPage }: PageStepsProps) {
  if (page === 0 && !hasNext) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-3">
      <Button size="small" disabled={page === 0} onClick={() => onPage(page - 1)}>
        <ChevronLeft className="size-4" aria-hidden="true" />
        Previous
      </Button>
      <span aria-live="polite" className="text-sm text-muted tabular-nums">
        Page {page + 1}
      </span>
      <Button size="small" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight className="size-4" aria-hidden="true" />
      </Button>
    </nav>
  );
}

const gridClass = 'grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3';

interface DappsGridProps {
  readonly dapps: readonly Dapp[];
  /** Samples on their way, which have their places before what is there. */
  readonly offer: SampleOffer | undefined;
}

/** Dapps as cards. */
function DappsGrid({ dapps, offer }: DappsGridProps) {
  const hasCovers = dapps.some(({ picture }) => picture !== null);
  return (
    <ul aria-label="DApps" className={gridClass}>
      {offer &&
        samplesToCome(offer, dapps).map((name) => (
          <li key={`sample ${name}`}>
            <ComingSample name={name} offer={offer} />
          </li>
        ))}
      {dapps.map((dapp, place) => (
        <li key={dapp.id || place}>
          <DappCard dapp={dapp} hasCover={hasCovers} />
        </li>
      ))}
    </ul>
  );
}

/** The grid while its dapps are fetched. */
function LoadingGrid() {
  return (
    <div role="status" aria-label="Loading dapps" className={gridClass}>
      {Array.from({ length: 6 }, (_, place) => (
        <div
          key={place}
          className="h-47.5 animate-pulse rounded-card border border-line bg-surface max-sm:h-50.5"
        />
      ))}
    </div>
  );
}

/** A search is asked for, and in the address, once typing pauses; milliseconds. */
const SEARCH_SETTLES_MS = 250;

/** A list that did not load looks like an empty one, and says so. */
const nothing: readonly Dapp[] = [];

/** The dapps of all users, a page at a time, with search, order and kind in the address. */
export function Marketplace() {
  const [fields, setFields] = useAddressFields('', viewFields, SEARCH_SETTLES_MS);
  const [submitting, setSubmitting] = useState(false);
  const view = useMemo(() => readView(fields), [fields]);
  const search = useSettled(view.search, SEARCH_SETTLES_MS);
  const asked = { ...view, search };
  const list = useQuery({ ...dappsQuery(asked), placeholderData: keepPreviousData });
  const { data, isPending } = list;
  const failed = failedList(list);
  const { dapps, hasNext } = pageOfAnswer(data ?? nothing, asked);

  const change = (next: Partial<DappsView>): void => setFields(fieldsOf({ ...view, page: 0, ...next }));
  const submit = (): void => setSubmitting(true);
  const offer = useSampleOffer();
  const showsNewest = !isNarrowed(asked) && asked.sort === 'newest' && asked.page === 0;

  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-semibold">Marketplace</h1>
        <div className="ml-auto flex flex-wrap items-center gap-2 max-lg:w-full">
          <MarketplaceToolbar view={view} onChange={change} />
          <Button variant="primary" className="max-sm:w-full" onClick={submit}>
            <Plus className="size-4" aria-hidden="true" />
            Submit DApp
          </Button>
        </div>
      </header>
      {view.by !== undefined && (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          <span className="wrap-anywhere">
            DApps of <b className="font-semibold text-ink">@{view.by}</b>
          </span>
          <Button size="small" onClick={() => change({ by: undefined })}>
            <X className="size-3.5" aria-hidden="true" />
            Show all
          </Button>
        </p>
      )}
      {isPending ? (
        <LoadingGrid />
      ) : dapps.length > 0 ? (
        <DappsGrid dapps={dapps} offer={showsNewest ? offer : undefined} />
      ) : (
        <Card className="animate-entrance">
          {failed === undefined && (isNarrowed(asked) || asked.page > 0) ? (
            <EmptyState
              drawing="search"
              title="No dapp matches"
              hint="The search looks at names, descriptions and uploaders."
              action={<Button onClick={() => setFields(fieldsOf(firstView))}>Show all dapps</Button>}
            />
          ) : (
            <EmptyState
              drawing="marketplace"
              title="No DApp found."
              failed={failed}
              hint="A dapp is a module that others can install as their own canister."
              action={
                <span className="flex flex-wrap justify-center gap-2">
                  <Button variant="primary" onClick={submit}>
                    Add your DApp to marketplace.
                  </Button>
                  <OfferSamples />
                </span>
              }
            />
          )}
        </Card>
      )}
      <PageSteps page={view.page} hasNext={hasNext} onPage={(page) => change({ page })} />
      {submitting && (
        <DappDialog onClose={() => setSubmitting(false)} onSaved={() => setFields(fieldsOf(firstView))} />
      )}
    </div>
  );
}
