import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { GuideSearch } from './guide-search.tsx';
import { PageList } from './page-list.tsx';

/** The pages of the documentation beside the open one; where there is no room they are behind a button. */
export function DocumentationLayout({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <div className="@container">
      <div className="flex gap-8 @max-[760px]:flex-col @max-[760px]:gap-5 lg:gap-10">
        <div className="sticky top-20 -my-1 w-52 shrink-0 self-start py-1 @max-[760px]:static @max-[760px]:w-full">
          <GuideSearch onFollow={close} />
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="mt-3 flex h-11 w-full items-center justify-between rounded-control border border-control/60 bg-surface px-3 font-medium @min-[760px]:hidden"
          >
            All pages
            <ChevronDown
              className={classNames('size-4 text-muted transition-transform', open && 'rotate-180')}
              aria-hidden="true"
            />
          </button>
          <nav
            aria-label="Documentation"
            className={classNames(
              'mt-4 max-h-[calc(100dvh-9rem)] overflow-y-auto @max-[760px]:max-h-none',
              !open && '@max-[760px]:hidden',
            )}
          >
            <PageList onFollow={close} />
          </nav>
        </div>
        {children}
      </div>
    </div>
  );
}
