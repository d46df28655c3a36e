import { useState } from 'react';
import { ArrowUpRight } from 'lucide-react';
import { IconTips } from '../components/tips/icon-tips.tsx';
import { IdText } from '../components/ui/id-text.tsx';
import { SystemName } from '../components/ui/system-name.tsx';
import { CanisterPage } from './canister-page.tsx';
import { ProblemView } from './components/problem-view.tsx';
import { type PageAddress, pageSearch, readPageAddress } from './page-address.ts';
import { Button, buttonClass } from '../components/ui/button.tsx';
import { TextField } from '../components/ui/text-field.tsx';
import { CanneryMark } from '../components/ui/cannery-mark.tsx';
import { PRODUCT_NAME } from '../config/env.ts';
import { paths } from '../config/paths.ts';

/** The bar on top: the product, the page, and the way to the canister in the console. */
function PageHeader({ canisterId }: { canisterId: string | undefined }) {
  return (
    <header className="bar border-b border-line bg-surface text-ink">
      <div className="mx-auto flex h-14 max-w-5xl items-center gap-3 px-4 md:px-6">
        <a href={paths.home} className="flex items-center gap-2 rounded-control font-semibold">
          <CanneryMark className="size-7" />
          {PRODUCT_NAME}
        </a>
        <span aria-hidden="true" className="h-5 w-px bg-line" />
        <span className="text-muted">Candid UI</span>
        {canisterId !== undefined && (
          <a
            href={paths.canister.replace('$id', canisterId)}
            className={buttonClass({ variant: 'secondary', size: 'small', className: 'ml-auto' })}
          >
            <span className="max-sm:sr-only">Canister details</span>
            <span aria-hidden="true" className="sm:hidden">
              Details
            </span>
            <ArrowUpRight className="size-3.5" aria-hidden="true" />
          </a>
        )}
      </div>
    </header>
  );
}

interface OpenFormProps {
  readonly startsWith: string;
  readonly host: string | undefined;
}

/** Asks for the canister to show. */
function OpenForm({ startsWith, host }: OpenFormProps) {
  const [id, setId] = useState(startsWith);
  const [error, setError] = useState<string>();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const search = pageSearch(id.trim(), host);
        if (readPageAddress(search).isValidId) location.assign(search);
        else setError('This is not a canister id: it looks like rrkah-fqaaa-aaaaa-aaaaq-cai');
      }}
      className="flex w-full max-w-md flex-col gap-3 text-left"
    >
      <TextField
        mono
        label="Canister id"
        placeholder="rrkah-fqaaa-aaaaa-aaaaq-cai"
        spellCheck={false}
        value={id}
        error={error}
        onChange={(event) => {
          setId(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" variant="primary">
        Open
      </Button>
    </form>
  );
}

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
            <p className="mt-1 flex flex-wrap items-center gap-x-2">
              <span className="sr-only">Canister </span>
              <IdText id={canisterId} of="canister id" className="sm:text-base" />
              <SystemName id={canisterId} />
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
      <IconTips />
    </div>
  );
}
