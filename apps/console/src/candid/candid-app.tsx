import { IdText } from '../components/ui/id-text.tsx';
import { CanisterPage } from './canister-page.tsx';
import { OpenForm } from './components/open-form.tsx';
import { PageHeader } from './components/page-header.tsx';
import { ProblemView } from './components/problem-view.tsx';
import type { PageAddress } from './page-address.ts';

/** The whole page for an address. */
export function CandidApp({ id, isValidId, host }: PageAddress) {
  const canisterId = isValidId ? id : undefined;
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHeader canisterId={host === undefined ? canisterId : undefined} />
      <main className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-6 px-4 py-6 md:px-6 md:py-8">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold">Candid interface</h1>
          {canisterId !== undefined && (
            <p className="mt-1">
              <span className="sr-only">Canister </span>
              <IdText id={canisterId} of="canister id" className="sm:text-base" />
            </p>
          )}
        </div>
        {canisterId !== undefined ? (
          <CanisterPage id={canisterId} host={host} />
        ) : (
          <ProblemView
            title={id === undefined ? 'Which canister?' : 'This is not a canister id'}
            hint={
              id === undefined
                ? 'Every canister can publish its interface. Enter an id to see the methods and call them.'
                : `A letter of “${id}” is wrong or missing; ids carry a checksum, so a typing mistake is noticed.`
            }
          >
            <OpenForm startsWith={id ?? ''} host={host} />
          </ProblemView>
        )}
      </main>
    </div>
  );
}
