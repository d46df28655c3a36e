import { Link } from '@tanstack/react-router';
import { paths } from '../../config/paths.ts';
import { pageGroups } from './pages.ts';

/** All pages of the documentation by group; the open one is marked. */
export function PageList({ onFollow }: { readonly onFollow?: () => void }) {
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
