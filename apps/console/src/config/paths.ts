/** Addresses of the console's own pages. */
export const paths = {
  home: '/',
  login: '/login',
  documentation: '/documentation',
  documentationPage: '/documentation/$section/$page',
  dashboard: '/ics/dashboard',
  canisters: '/ics/canisters',
  canister: '/ics/canister/$id',
  dapps: '/ics/dapps',
  registries: '/ics/registries',
  marketplace: '/ics/marketplace',
  dapp: '/ics/dapp/$id',
  account: '/ics/account',
  network: '/ics/network',
  deployChoice: '/ics/deploy',
  deployNew: '/ics/deploy/new',
  deploy: '/ics/deploy/$id',
  deployTab: '/ics/deploy/$id/$tab',
  deployRun: '/ics/deploy/$id/runs/$runId',
  /** A route that the router knows by the route table only. */
  preview: '/app' as string,
  /** Leads to GitHub, and where GitHub leads back to; the contract has both, which is not loaded with these. */
  gitHub: '/git/github',
  gitHubConnected: '/git/github/connected',
  /** The own account at the embedded git host. */
  gitConnect: '/git/connect',
  pipelinesCreate: '/ics/pipelines/create',
} as const;

/** The part of the page of canisters that lists the dapps. */
export const DAPPS_PLACE = 'dapps';

/** Where the documentation begins. */
export const quickStart = { section: 'getting-started', page: 'quick-start' } as const;

/** The chapter of what has changed. */
export const whatIsNew = { section: 'getting-started', page: 'what-is-new' } as const;
