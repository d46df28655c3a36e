/** A page of the console, and what it loads by `import()` until it is shown. */
interface BundledPage {
  readonly address: string;
  readonly modules: readonly string[];
}

const page = (address: string, ...modules: string[]): BundledPage => ({ address, modules });
const demo = (address: string, ...modules: string[]): BundledPage =>
  page(address, 'features/demo/demo-page.tsx', ...modules.map((module) => `features/demo/${module}`));

/** The HTML of the console and of the Candid page. */
export const CONSOLE_PAGE = 'index.html';
export const CANDID_PAGE = 'candid/index.html';

/** What every page of a signed-in user loads: who it is, and the shell. */
export const SIGNED_IN = ['lib/session/current-session.ts', 'app/shell/shell.tsx'];

/** The pages of the product, below the shell. */
export const PRODUCT_PAGES = [
  page('/ics/dashboard', 'app/routes/dashboard.tsx'),
  page('/ics/canisters', 'app/routes/canisters.tsx'),
  page('/ics/dapps', 'app/routes/dapps.tsx'),
  page('/ics/canister/$id', 'app/routes/canister.tsx'),
  page('/ics/dapp/$id', 'app/routes/dapp.tsx'),
  page('/ics/registries', 'app/routes/registries.tsx'),
  page('/ics/marketplace', 'app/routes/marketplace.tsx'),
  page('/ics/account', 'app/routes/account.tsx'),
  page('/ics/network', 'app/routes/network.tsx'),
  page('/ics/deploy', 'app/routes/deploy-choice.tsx'),
  page('/ics/deploy/new', 'app/routes/deploy-new.tsx'),
  page('/ics/deploy/$id', 'app/routes/deploy.tsx'),
  page('/ics/pipelines/create', 'app/routes/pipelines-create.tsx'),
  page('/git/github', 'app/routes/github.tsx'),
  page('/$owner/$repo', 'app/routes/repositories.tsx', 'features/repository/load-pages.ts'),
  page('/$owner/$repo/code/$commit/$', 'app/routes/repository-code.tsx', 'features/repository/load-pages.ts'),
] as const;

/** The pages that may bring the template shell or the documentation, for a signed-in user. */
export const OTHER_PAGES = [
  page(
    '/documentation/getting-started/quick-start',
    'app/routes/documentation.tsx',
    'app/routes/documentation-page.tsx',
    'features/documentation/pages.ts',
    'virtual:guide/chapter/quick-start',
  ),
  demo('/app', 'dashboard/dashboard-page.tsx', 'dashboard/world-map.tsx'),
  demo('/app/users', 'users/users-page.tsx'),
  demo('/app/users/create', 'users/user-form-page.tsx'),
  demo('/ics/profile', 'profile/profile-page.tsx'),
  demo('/ics/profile_temp', 'workspace/workspace-page.tsx'),
  demo('/app/ecommerce/management', 'products/products-page.tsx'),
  demo('/app/ecommerce/management/create', 'products/product-form-pages.tsx'),
  demo('/app/ecommerce/management/edit/$id', 'products/product-form-pages.tsx'),
  demo('/app/ecommerce/product/$id', 'products/product-page.tsx'),
] as const;

/** What follows once a page is shown, or once somebody asks for it. */
export const FOLLOWING = [
  { what: 'the texts of the search in the documentation', modules: ['virtual:guide/search'] },
  { what: 'the page for what is not there', modules: ['app/routes/not-found.tsx'] },
  { what: 'the question whose token an address has', modules: ['features/user/sign-in-question.tsx'] },
  { what: 'the button of Internet Identity', modules: ['features/user/internet-identity.tsx'] },
  { what: 'the client of Internet Identity', modules: ['features/user/sign-in-by-identity.ts'] },
  {
    what: 'the dialog that creates a canister',
    modules: ['features/canister/create/create-canister-dialog.tsx'],
  },
  { what: 'the dialog that adds cycles', modules: ['features/canister/payment/top-up-dialog.tsx'] },
  { what: 'the palette', modules: ['app/shell/palette/command-palette.tsx'] },
  { what: 'the list of shortcuts', modules: ['app/shell/palette/shortcuts-dialog.tsx'] },
  { what: 'menus', modules: ['components/ui/menu-parts.tsx'] },
  { what: 'the dialog that installs code', modules: ['features/canister/install/install-dialog.tsx'] },
  { what: 'the settings of a canister', modules: ['features/canister/settings/canister-settings.tsx'] },
  { what: 'the dialogs of names and tags', modules: ['features/canister/label/label-dialog.tsx'] },
  { what: 'the dialogs of the palette', modules: ['app/shell/palette/open-dialogs.tsx'] },
  { what: 'the form of arguments', modules: ['candid/install-arguments.tsx'] },
  { what: 'the tab Call of a canister', modules: ['candid/call-tab.tsx'] },
  { what: 'the identity that signs calls', modules: ['candid/caller/kept-identity.ts'] },
  { what: 'the key that somebody imports', modules: ['candid/caller/pem-identity.ts'] },
  { what: 'the button that copies an error', modules: ['components/ui/copy-button.tsx'] },
  { what: 'the text that the browser cannot copy', modules: ['components/ui/copy-by-hand.tsx'] },
] as const;
