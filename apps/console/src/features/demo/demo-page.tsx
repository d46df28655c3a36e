import { CSPProvider } from '@base-ui/react/csp-provider';
import { Link, Navigate, useMatch, useParams } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { PageLoader } from '../../components/ui/page-loader.tsx';
import { paths } from '../../config/paths.ts';
import { classNames } from '../../lib/class-names.ts';
import { useAuth } from '../../lib/session/auth-state.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { demoPaths, demoRoutes, pathOf } from './demo-paths.ts';
import './demo.css';

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
function DemoNav({ path }: { path: string }) {
  const { currentUser } = useAuth();
  return currentUser ? <SignedInNav path={path} /> : <NavLinks path={path} entries={openEntries} />;
}

function ToCreate() {
  return <Navigate to={demoPaths.createProduct} replace />;
}

function ToEdit() {
  const { id = '' } = useParams({ strict: false });
  return <Navigate to={pathOf('editProduct', id)} replace />;
}

/** The pages of the template shell by the path of their route; each is loaded when it is opened. */
const pages: Readonly<Record<string, ComponentType>> = {
  [demoRoutes.shortCreateProduct]: ToCreate,
  [demoRoutes.shortEditProduct]: ToEdit,
  [demoRoutes.dashboard]: lazyPage(() => import('./dashboard/dashboard-page.tsx'), 'DashboardPage'),
  [demoRoutes.users]: lazyPage(() => import('./users/users-page.tsx'), 'UsersPage'),
  [demoRoutes.createUser]: lazyPage(() => import('./users/user-form-page.tsx'), 'UserFormPage'),
  [demoRoutes.editUser]: lazyPage(() => import('./users/user-form-page.tsx'), 'UserFormPage'),
  [demoRoutes.profile]: lazyPage(() => import('./profile/profile-page.tsx'), 'ProfilePage'),
  [demoRoutes.workspace]: lazyPage(() => import('./workspace/workspace-page.tsx'), 'WorkspacePage'),
  [demoRoutes.products]: lazyPage(() => import('./products/products-page.tsx'), 'ProductsPage'),
  [demoRoutes.createProduct]: lazyPage(
    () => import('./products/product-form-pages.tsx'),
    'CreateProductPage',
  ),
  [demoRoutes.editProduct]: lazyPage(() => import('./products/product-form-pages.tsx'), 'EditProductPage'),
  [demoRoutes.product]: lazyPage(() => import('./products/product-page.tsx'), 'ProductPage'),
};

/** Any page of the template shell: sample content to look at, which means nothing to the rest of the console. */
export function DemoPage() {
  const path: string = useMatch({ strict: false }).fullPath;
  const Page = pages[path];
  if (Page === undefined) throw new Error(`The template shell has no page for ${path}.`);
  return (
    // A visitor's page has no shell around it that says this; the page's policy allows no injected style elements.
    <CSPProvider disableStyleElements>
      <div className="demo">
        <DemoNav path={path} />
        <Suspense fallback={<PageLoader label="Loading page" />}>
          <Page />
        </Suspense>
      </div>
    </CSPProvider>
  );
}
