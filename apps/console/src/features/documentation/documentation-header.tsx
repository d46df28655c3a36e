import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/ui/button-class.ts';
import { CanneryMark } from '../../components/ui/cannery-mark.tsx';
import { PRODUCT_NAME } from '../../config/env.ts';
import { paths, quickStart } from '../../config/paths.ts';

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
