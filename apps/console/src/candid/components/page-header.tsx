import { ArrowUpRight } from 'lucide-react';
import { buttonClass } from '../../components/ui/button.tsx';
import { CanneryMark } from '../../components/ui/cannery-mark.tsx';
import { PRODUCT_NAME } from '../../config/env.ts';
import { paths } from '../../config/paths.ts';

/** The bar on top: the product, the page, and the way to the canister in the console. */
export function PageHeader({ canisterId }: { canisterId: string | undefined }) {
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
