import { routeTable } from '../../apps/console/src/config/route-table.ts';

/** The title of the page behind each route; nothing has the id 'x'. */
const titles: Readonly<Record<(typeof routeTable)[number]['path'], string>> = {
  '/': 'Dashboard',
  '/login': 'Dashboard',
  '/documentation': 'Quick start',
  '/documentation/getting-started/quick-start': 'Quick start',
  '/documentation/components/typography': 'Typography',
  '/documentation/components/header': 'Header',
  '/documentation/components/sidebar': 'Sidebar',
  '/documentation/components/buttons': 'Buttons',
  '/ics/dashboard': 'Dashboard',
  '/ics/canisters': 'Canisters and DApps',
  '/canisters': 'Canisters and DApps',
  '/ics/dapps': 'DApps',
  '/ics/canister/$id': 'Canister',
  '/ics/dapp/$id': 'DApp',
  '/ics/profile': 'Profile',
  '/ics/profile_temp': 'Sample profile',
  '/ics/registries': 'Registries',
  '/ics/marketplace': 'Marketplace',
  '/ics/account': 'Account',
  '/ics/deploy': 'Create a new Static Website',
  '/ics/deploy/new': 'Create a new Static Website',
  '/ics/deploy/$id': 'Deploy',
  '/ics/deploy/$id/$tab': 'Deploy',
  '/ics/deploy/$id/runs/$runId': 'Deploy',
  '/ics/pipelines/create': 'Create new pipeline',
  '/app': 'Sample dashboard',
  '/app/users': 'Users',
  '/app/users/create': 'New user',
  '/app/users/edit/$id': 'Edit user',
  '/app/ecommerce/management': 'Products',
  '/app/ecommerce/management/create': 'New product',
  '/app/ecommerce/management/edit/$id': 'Edit product',
  '/app/ecommerce/create': 'New product',
  '/app/ecommerce/edit/$id': 'Edit product',
  '/app/ecommerce/product/$id': 'Product',
};

/** Where a route that leads elsewhere ends for a signed-in user. */
const ends: Readonly<Record<string, string>> = {
  '/': '/ics/dashboard',
  '/login': '/ics/dashboard',
  '/documentation': '/documentation/getting-started/quick-start',
  // The form needs to know the repository.
  '/ics/deploy/new': '/ics/deploy',
  '/app/ecommerce/create': '/app/ecommerce/management/create',
  '/app/ecommerce/edit/x': '/app/ecommerce/management/edit/x',
};

/** The route table with an address for each route, where it ends for a signed-in user, and the title of the page there. */
export const routes = routeTable.map(({ path, access }) => {
  const address = path.replaceAll(/\$\w+/g, 'x');
  return { address, access, end: ends[address] ?? address, title: titles[path] };
});
