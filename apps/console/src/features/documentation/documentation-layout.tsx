import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { buttonClass } from '../../components/ui/button.tsx';
import { CanneryMark } from '../../components/ui/cannery-mark.tsx';
import { PRODUCT_NAME } from '../../config/env.ts';
import { paths, quickStart } from '../../config/paths.ts';
import { classNames } from '../../lib/class-names.ts';
import { GuideSearch } from './guide-search.tsx';
import { pageGroups } from './pages.ts';

/** The bar above the documentation for a visitor. */
export function DocumentationHeader() {
  return (
    <header className="bar sticky top-0 z-20 border-b border-line bg-surface text-ink">
      <div className="mx-auto flex h-14 max-w-[1280px] items-center gap-2 px-4 md:px-6">
        <Link
          to={paths.documentationPage}
          params={quickStart}
          className="flex items-center gap-2 rounded-control text-lg font-semibold tracking-tight"
        >
          <CanneryMark className="size-7" />
          {PRODUCT_NAME}
        </Link>
        <span className="text-lg text-muted max-sm:hidden">Documentation</span>
        <div className="ml-auto flex items-center gap-2">
          <Link to={paths.preview} className={buttonClass({ size: 'small', variant: 'ghost' })}>
            Live Preview
          </Link>
          <Link to={paths.login} className={buttonClass({ size: 'small' })}>
            Sign in
          </Link>
        </div>
      </div>
    </header>
  );
}

/** All pages of the documentation by group; the open one is marked. */
function PageList({ onFollow }: { readonly onFollow?: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      {pageGroups.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <p className="px-3 text-xs font-medium text-muted">{title}</p>
          <ul className="mt-1 flex flex-col gap-0.5">
            {pages.map(({ section, page, title: text }) => (
              <li key={page}>
                <Link
                  to={paths.documentationPage}
                  params={{ section, page }}
                  onClick={onFollow}
                  activeOptions={{ includeHash: false }}
                  className="flex min-h-8 items-center rounded-control px-3 py-1 text-sm outline-offset-[-2px] max-md:min-h-11"
                  inactiveProps={{ className: 'text-muted hover:bg-ink/5 hover:text-ink' }}
                  activeProps={{
                    className: 'bg-accent-soft font-medium text-accent',
                    'aria-current': 'page',
                  }}
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

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
