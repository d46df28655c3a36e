import { Link } from '@tanstack/react-router';
import { classNames } from '../../lib/class-names.ts';
import { paths } from '../../config/paths.ts';
import { useAuth } from '../../lib/session/auth-store.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { demoPaths } from './demo-paths.ts';

interface Entry {
  readonly label: string;
  readonly to: string;
  /** Address below which the entry counts as open, besides its own. */
  readonly below?: string;
}

const products: Entry = { label: 'Products', to: demoPaths.products, below: '/app/ecommerce' };

const openEntries: readonly Entry[] = [
  { label: 'Dashboard', to: demoPaths.dashboard },
  { label: 'Users', to: demoPaths.users, below: demoPaths.users },
  { label: 'Documentation', to: paths.documentation },
];

const signedInEntries: readonly Entry[] = [
  { label: 'Profile', to: demoPaths.profile },
  { label: 'Sample profile', to: demoPaths.workspace },
];

function NavLinks({ entries, path }: { entries: readonly Entry[]; path: string }) {
  return (
    <nav aria-label="Samples" className="mb-5 flex items-center gap-1 overflow-x-auto">
      <span className="mr-2 shrink-0 rounded-full border border-line px-2.5 py-0.5 text-xs font-medium text-muted">
        Sample content
      </span>
      {entries.map(({ label, to, below }) => {
        const current = path === to || (below !== undefined && path.startsWith(`${below}/`));
        return (
          <Link
            key={to}
            to={to}
            aria-current={current ? 'page' : undefined}
            className={classNames(
              'flex h-8 shrink-0 items-center rounded-control px-3 text-sm font-medium outline-offset-[-2px] max-sm:h-11',
              current ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-ink/5 hover:text-ink',
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

/** Also leads to the sample products, where the service offers them. */
function SignedInNav({ path }: { path: string }) {
  const offered = usePublicConfig()?.sample_products === true;
  return (
    <NavLinks path={path} entries={[...openEntries, ...signedInEntries, ...(offered ? [products] : [])]} />
  );
}

/** Leads from one page of the template shell to the others. */
export function DemoNav({ path }: { path: string }) {
  const { currentUser } = useAuth();
  return currentUser ? <SignedInNav path={path} /> : <NavLinks path={path} entries={openEntries} />;
}
