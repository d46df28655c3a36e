import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { lazyPage } from '../components/ui/lazy-page.ts';
import { PageFailure } from '../components/ui/page-failure.tsx';
import { PublicFrame, RootPage } from './routes/root.tsx';
import { LoginPage } from './routes/login.tsx';
import type { AuthState } from '../lib/session/auth-state.ts';
import type { LoadedPage } from '../features/documentation/pages.ts';
import { paths, quickStart } from '../config/paths.ts';
import { demoPaths } from '../config/demo-routes.ts';
import { askedPath } from '../lib/session/asked-path.ts';
import { isDrafted } from '../lib/shared/is-drafted.ts';

interface RouterContext {
  readonly auth: () => AuthState;
}

/** A search parameter as plain text; which values have a meaning is the page's to decide. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: RootPage,
  notFoundComponent: lazyPage(() => import('./routes/not-found.tsx'), 'NotFoundPage'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  beforeLoad: () => {
    throw redirect({ to: paths.dashboard, replace: true });
  },
});

const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  validateSearch: (search: Record<string, unknown>): { error?: string } => ({ error: text(search['error']) }),
  beforeLoad: ({ context }) => {
    if (context.auth().currentUser) throw redirect({ href: askedPath.take() ?? paths.home, replace: true });
  },
  component: LoginPage,
});

/** Everything below it needs a signed-in user and is in the shell. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ context, location }) => {
    if (context.auth().currentUser) return;
    throw redirect({ to: paths.login, replace: true, state: { askedPath: location.href } });
  },
  component: lazyPage(() => import('./shell/shell.tsx'), 'Shell'),
});

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: paths.dashboard,
  component: lazyPage(() => import('./routes/dashboard.tsx'), 'DashboardPage'),
});

const canistersPage = lazyPage(() => import('./routes/canisters.tsx'), 'CanistersPage');

const canisters = createRoute({
  getParentRoute: () => signedIn,
  path: paths.canisters,
  component: canistersPage,
});

const canistersShort = createRoute({
  getParentRoute: () => signedIn,
  path: '/canisters',
  component: canistersPage,
});

const dapps = createRoute({
  getParentRoute: () => signedIn,
  path: paths.dapps,
  component: lazyPage(() => import('./routes/dapps.tsx'), 'DappsPage'),
});

const canister = createRoute({
  getParentRoute: () => signedIn,
  path: paths.canister,
  validateSearch: (search: Record<string, unknown>): { tab?: string } => ({ tab: text(search['tab']) }),
  component: lazyPage(() => import('./routes/canister.tsx'), 'CanisterPage'),
});

const registries = createRoute({
  getParentRoute: () => signedIn,
  path: paths.registries,
  component: lazyPage(() => import('./routes/registries.tsx'), 'RegistriesPage'),
});

const marketplace = createRoute({
  getParentRoute: () => signedIn,
  path: paths.marketplace,
  validateSearch: (search: Record<string, unknown>): { by?: string } => ({
    ...search,
    by: text(search['by']),
  }),
  component: lazyPage(() => import('./routes/marketplace.tsx'), 'MarketplacePage'),
});

const dapp = createRoute({
  getParentRoute: () => signedIn,
  path: paths.dapp,
  component: lazyPage(() => import('./routes/dapp.tsx'), 'DappPage'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: paths.account,
  component: lazyPage(() => import('./routes/account.tsx'), 'AccountPage'),
});

const network = createRoute({
  getParentRoute: () => signedIn,
  path: paths.network,
  component: lazyPage(() => import('./routes/network.tsx'), 'NetworkPage'),
});

const deployChoice = createRoute({
  getParentRoute: () => signedIn,
  path: paths.deployChoice,
  validateSearch: (search: Record<string, unknown>): { type?: string; from?: string } => ({
    type: text(search['type']),
    from: text(search['from']),
  }),
  component: lazyPage(() => import('./routes/deploy-choice.tsx'), 'DeployChoicePage'),
});

const deployNew = createRoute({
  getParentRoute: () => signedIn,
  path: paths.deployNew,
  validateSearch: (search: Record<string, unknown>): { deploy_type?: string } => ({
    deploy_type: text(search['deploy_type']),
  }),
  beforeLoad: ({ location, search }) => {
    if (!isDrafted(location.state)) {
      throw redirect({ to: paths.deployChoice, search: { type: search.deploy_type }, replace: true });
    }
  },
  component: lazyPage(() => import('./routes/deploy-new.tsx'), 'DeployNewPage'),
});

const deployPage = lazyPage(() => import('./routes/deploy.tsx'), 'DeployPage');

const deploy = createRoute({
  getParentRoute: () => signedIn,
  path: paths.deploy,
  component: deployPage,
});

const deployTab = createRoute({
  getParentRoute: () => deploy,
  path: '$tab',
});

const deployRun = createRoute({
  getParentRoute: () => deploy,
  path: 'runs/$runId',
});

const pipelinesCreate = createRoute({
  getParentRoute: () => signedIn,
  path: paths.pipelinesCreate,
  component: lazyPage(() => import('./routes/pipelines-create.tsx'), 'PipelinesCreatePage'),
});

interface GitHubSearch {
  state?: string;
  code?: string;
  installation_id?: string;
  setup_action?: string;
  way?: string;
}

/** What GitHub hands back stays plain text: the service decides what it is worth. */
function gitHubSearch(search: Record<string, unknown>): GitHubSearch {
  return {
    state: text(search['state']),
    code: text(search['code']),
    installation_id: text(search['installation_id']),
    setup_action: text(search['setup_action']),
    way: text(search['way']),
  };
}

const gitHub = createRoute({
  getParentRoute: () => signedIn,
  path: paths.gitHub,
  validateSearch: gitHubSearch,
  component: lazyPage(() => import('./routes/github.tsx'), 'GitHubPage'),
});

const gitHubConnected = createRoute({
  getParentRoute: () => signedIn,
  path: paths.gitHubConnected,
  validateSearch: gitHubSearch,
  component: lazyPage(() => import('./routes/github.tsx'), 'GitHubConnectedPage'),
});

/** Pages that anybody may open. */
const open = createRoute({ getParentRoute: () => root, id: 'open', component: PublicFrame });

const documentation = createRoute({
  getParentRoute: () => root,
  path: paths.documentation,
  beforeLoad: () => {
    throw redirect({ to: paths.documentationPage, params: quickStart, replace: true });
  },
});

/** The documentation, which nothing else loads. */
const guide = createRoute({
  getParentRoute: () => root,
  id: 'guide',
  component: lazyPage(() => import('./routes/documentation.tsx'), 'DocumentationFrame'),
});

const documentationPage = createRoute({
  getParentRoute: () => guide,
  path: paths.documentationPage,
  loader: async ({ params }): Promise<LoadedPage> => {
    const { loadPage } = await import('../features/documentation/pages.ts');
    const page = await loadPage(params);
    if (!page) throw notFound();
    return page;
  },
  component: lazyPage(() => import('./routes/documentation-page.tsx'), 'DocumentationPage'),
});

const demoPage = lazyPage(() => import('../features/demo/demo-page.tsx'), 'DemoPage');

/** The template shell below a frame. */
function demoBelow(parent: typeof signedIn | typeof open, access: 'signed in' | 'any') {
  return demoPaths(access).map((path) =>
    createRoute({ getParentRoute: () => parent, path, component: demoPage }),
  );
}

/** Pages of the user's repositories at the addresses that git uses. For everybody else there is no such page. */
const repositories = createRoute({
  getParentRoute: () => root,
  id: 'repositories',
  beforeLoad: ({ context }) => {
    if (!context.auth().currentUser) throw notFound();
  },
  component: lazyPage(() => import('./shell/shell.tsx'), 'Shell'),
});

const repositoryPages = () => import('../features/repository/load-pages.ts');

const repositoryAccount = createRoute({
  getParentRoute: () => repositories,
  path: '/$owner',
  validateSearch: (search: Record<string, unknown>): { type?: string } => ({ type: text(search['type']) }),
  loader: async ({ params }) => (await repositoryPages()).loadAccount(params),
  component: lazyPage(() => import('./routes/repositories.tsx'), 'RepositoryAccountPage'),
});

/** Where a visitor is led to bring repositories: the page of the own account. */
const gitConnect = createRoute({
  getParentRoute: () => repositories,
  path: paths.gitConnect,
  validateSearch: (search: Record<string, unknown>): { state?: string } => ({ state: text(search['state']) }),
  beforeLoad: async ({ search }) => {
    const { connectTarget } = await repositoryPages();
    throw redirect({ ...(await connectTarget(search.state)), replace: true });
  },
});

const repository = createRoute({
  getParentRoute: () => repositories,
  path: '/$owner/$repo',
  loader: async ({ params }) => (await repositoryPages()).loadRepository(params),
  component: lazyPage(() => import('./routes/repositories.tsx'), 'RepositoryPage'),
});

const repositoryTree = createRoute({
  getParentRoute: () => repositories,
  path: '/$owner/$repo/tree/$',
  loader: async ({ params }) =>
    (await repositoryPages()).loadRepository({ ...params, branch: params._splat }),
  component: lazyPage(() => import('./routes/repositories.tsx'), 'RepositoryTreePage'),
});

const repositoryCode = createRoute({
  getParentRoute: () => repositories,
  path: '/$owner/$repo/code/$commit/$',
  loader: async ({ params }) => (await repositoryPages()).loadCode({ ...params, path: params._splat ?? '' }),
  component: lazyPage(() => import('./routes/repository-code.tsx'), 'RepositoryCodePage'),
});

const routes = root.addChildren([
  documentation,
  guide.addChildren([documentationPage]),
  open.addChildren(demoBelow(open, 'any')),
  home,
  login,
  signedIn.addChildren([
    dashboard,
    canisters,
    canistersShort,
    dapps,
    canister,
    registries,
    marketplace,
    dapp,
    account,
    network,
    deployChoice,
    deployNew,
    deploy.addChildren([deployTab, deployRun]),
    pipelinesCreate,
    gitHub,
    gitHubConnected,
    ...demoBelow(signedIn, 'signed in'),
  ]),
  repositories.addChildren([gitConnect, repositoryAccount, repository, repositoryTree, repositoryCode]),
]);

/** The console's router. Search parameters stay plain text, so that an id or token of digits is not read as a number. */
export function createConsoleRouter(context: RouterContext) {
  return createRouter({
    routeTree: routes,
    context,
    trailingSlash: 'preserve',
    defaultPreload: 'intent',
    scrollRestoration: true,
    notFoundMode: 'root',
    // In the place of the page alone, so that the shell stays.
    defaultErrorComponent: PageFailure,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const query = new URLSearchParams(
        Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      ).toString();
      return query === '' ? '' : `?${query}`;
    },
  });
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
  interface HistoryState {
    /** The address that led to the sign-in page. */
    askedPath?: string;
  }
}
