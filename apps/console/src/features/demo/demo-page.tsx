import { CSPProvider } from '@base-ui/react/csp-provider';
import { Navigate, useMatch, useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { PageLoader } from '../../components/ui/page-loader.tsx';
import { DemoNav } from './demo-nav.tsx';
import { demoPaths, demoRoutes, pathOf } from './demo-paths.ts';
import './demo.css';

function ToCreate() {
  return <Navigate to={demoPaths.createProduct} replace />;
}

function ToEdit() {
  const { id = '' } = useParams({ strict: false });
  return <Navigate to={pathOf('editProduct', id)} replace />;
}

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

/** The pages of the template shell by the path of their route; each is loaded when it is opened. */
const pages: Readonly<Record<string, ComponentType>> = {
  [demoRoutes.shortCreateProduct]: ToCreate,
  [demoRoutes.shortEditProduct]: ToEdit,
  [demoRoutes.dashboard]: page(async () => (await import('./dashboard/dashboard-page.tsx')).DashboardPage),
  [demoRoutes.users]: page(async () => (await import('./users/users-page.tsx')).UsersPage),
  [demoRoutes.createUser]: page(async () => (await import('./users/user-form-page.tsx')).UserFormPage),
  [demoRoutes.editUser]: page(async () => (await import('./users/user-form-page.tsx')).UserFormPage),
  [demoRoutes.profile]: page(async () => (await import('./profile/profile-page.tsx')).ProfilePage),
  [demoRoutes.workspace]: page(async () => (await import('./workspace/workspace-page.tsx')).WorkspacePage),
  [demoRoutes.products]: page(async () => (await import('./products/products-page.tsx')).ProductsPage),
  [demoRoutes.createProduct]: page(
    async () => (await import('./products/create-product-page.tsx')).CreateProductPage,
  ),
  [demoRoutes.editProduct]: page(
    async () => (await import('./products/edit-product-page.tsx')).EditProductPage,
  ),
  [demoRoutes.product]: page(async () => (await import('./products/product-page.tsx')).ProductPage),
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
