import type { PublicConfig } from '@cannery/contract';
import {
  AppWindow,
  BookOpen,
  Box,
  CircleUserRound,
  Eye,
  FolderGit2,
  GitBranch,
  Keyboard,
  LayoutDashboard,
  type LucideIcon,
  LogOut,
  Package,
  Palette,
  Plus,
  Rocket,
  Store,
  Waypoints,
  Workflow,
} from 'lucide-react';
import { paths, quickStart } from '../../../config/paths.ts';
import type { PageAddress } from '../../../features/documentation/pages.ts';
import { choiceTabNames, offeredTabs } from '../../../features/repository/choice-tabs.ts';
import { themeChoices, themeStore } from '../../../lib/browser/theme.ts';
import { themeNames, themeNotes } from '../theme-names.ts';
import type { Destination, PaletteEntry } from './entries.ts';
import type { Doer } from './deeds.ts';

/** What is done without leaving the page. */
interface PlaceActions {
  readonly createCanister: () => void;
  readonly showShortcuts: () => void;
  readonly signOut: () => void;
}

/** A page of the documentation. */
interface Chapter extends PageAddress {
  readonly title: string;
}

export interface PlaceOptions extends PlaceActions {
  readonly go: Doer['go'];
  readonly config: PublicConfig | undefined;
  readonly chapters: readonly { readonly title: string; readonly pages: readonly Chapter[] }[];
}

type Row = readonly [id: string, label: string, words: string, Icon: LucideIcon, to: Destination];

const pages: readonly Row[] = [
  ['dashboard', 'Dashboard', 'home balance', LayoutDashboard, { to: paths.dashboard }],
  ['canisters', 'Canisters', 'list', Box, { to: paths.canisters }],
  ['dapps', 'DApps', 'apps deploys list', AppWindow, { to: paths.dapps }],
  [
    'new-app',
    'New app',
    'create dapp deploy website repository',
    Rocket,
    { to: paths.deployChoice, search: { type: 'STATIC_SITE' } },
  ],
  ['registries', 'Registries', 'modules wasm list', Package, { to: paths.registries }],
  ['marketplace', 'Marketplace', 'dapps store install submit', Store, { to: paths.marketplace }],
  [
    'account',
    'Account',
    'profile transactions api tokens git access tokens sessions devices',
    CircleUserRound,
    { to: paths.account },
  ],
  [
    'guide',
    'Guide',
    'documentation help quick start',
    BookOpen,
    { to: paths.documentationPage, params: quickStart },
  ],
  ['pipelines', 'Pipelines', 'create new pipeline coming soon', Workflow, { to: paths.pipelinesCreate }],
  ['preview', 'Live Preview', 'demo template sample dashboard', Eye, { to: paths.preview }],
];

/** Pages of the template shell, which the router knows by the route table only. */
const demo: readonly Row[] = [
  ['users', 'Users', 'sample list', Eye, { to: '/app/users' }],
  ['create-user', 'Create user', 'sample new', Eye, { to: '/app/users/create' }],
  ['edit-user', 'Edit a user', 'sample', Eye, { to: '/app/users/edit/$id', params: { id: '1' } }],
  ['products', 'Products', 'ecommerce management sample list', Eye, { to: '/app/ecommerce/management' }],
  [
    'create-product',
    'Create product',
    'ecommerce sample new',
    Eye,
    { to: '/app/ecommerce/management/create' },
  ],
  ['profile', 'Profile page', 'sample', Eye, { to: '/ics/profile' }],
  ['workspace', 'Workspace', 'sample calendar profile', Eye, { to: '/ics/profile_temp' }],
];

/** The page of the network, where that is the one that the service brings along. */
function networkPage(config: PublicConfig | undefined): Row[] {
  if (config?.embedded_network !== true) return [];
  const words = 'embedded local clock advance time outcalls system canisters ledger root key icp dfx';
  return [['network', 'Network', words, Waypoints, { to: paths.network }]];
}

/** Where the user's repositories are: pages of the embedded git host, or the place where another one is connected. */
function repositoriesPage(config: PublicConfig | undefined): Row[] {
  if (config === undefined) return [];
  return config.git_provider.embedded
    ? [['repositories', 'Repositories', 'git source code push', FolderGit2, { to: paths.gitConnect }]]
    : [['git-account', 'Connect a git account', 'github repositories', FolderGit2, { to: paths.gitHub }]];
}

/** Every place that is the same for everybody, and what can be done anywhere. */
export function placesOf({ go, config, chapters, ...actions }: PlaceOptions): PaletteEntry[] {
  const place =
    (kind: string, group: PaletteEntry['group'], note?: string) =>
    ([id, label, words, Icon, to]: Row): PaletteEntry => ({
      id: `${kind}:${id}`,
      group,
      label,
      words,
      ...(note !== undefined && { note }),
      to,
      Icon,
      run: () => go(to),
    });
  const tabs = offeredTabs({ embedded: config?.git_provider.embedded ?? false }).map(
    (tab): Row => [
      tab,
      `New app: ${choiceTabNames[tab]}`,
      'deploy create',
      GitBranch,
      { to: paths.deployChoice, search: { type: 'STATIC_SITE', from: tab } },
    ],
  );
  const guide = chapters.flatMap(({ title: part, pages: listed }) =>
    listed.map(({ section, page, title }): PaletteEntry => {
      const row: Row = [
        `${section}/${page}`,
        title,
        'guide documentation help chapter',
        BookOpen,
        { to: paths.documentationPage, params: { section, page } },
      ];
      return place('guide', 'Guide', part)(row);
    }),
  );
  return [
    ...[...pages, ...networkPage(config), ...repositoriesPage(config)].map(place('page', 'Pages')),
    ...actionsOf(go, actions),
    ...tabs.map(place('tab', 'Tabs')),
    ...guide,
    ...demo.map(place('demo', 'Demo')),
  ];
}

function actionsOf(go: Doer['go'], { createCanister, showShortcuts, signOut }: PlaceActions): PaletteEntry[] {
  const leads = (
    id: string,
    label: string,
    words: string,
    Icon: LucideIcon,
    to: Destination,
  ): PaletteEntry => ({
    id: `action:${id}`,
    group: 'Actions',
    label,
    words,
    to,
    Icon,
    run: () => go(to),
  });
  const site = { to: paths.deployChoice, search: { type: 'STATIC_SITE' } };
  const motoko = { to: paths.deployChoice, search: { type: 'MOTOKO' } };
  return [
    {
      id: 'action:create-canister',
      group: 'Actions',
      label: 'Create canister',
      words: 'new add',
      Icon: Plus,
      run: createCanister,
    },
    leads('add-registry', 'Add registry', 'new module wasm upload', Plus, {
      to: paths.registries,
      search: { add: 'registry' },
    }),
    leads('static-website', 'Create static website', 'new dapp deploy', Rocket, site),
    leads('motoko', 'Create Motoko smart contract', 'new dapp deploy', Rocket, motoko),
    ...themeChoices.map(
      (theme): PaletteEntry => ({
        id: `theme:${theme}`,
        group: 'Actions',
        label: `Theme: ${themeNames[theme]}`,
        words: `colour look ${theme} ${themeNotes[theme] ?? ''}`,
        Icon: Palette,
        run: () => themeStore.choose(theme),
      }),
    ),
    {
      id: 'action:shortcuts',
      group: 'Actions',
      label: 'Keyboard shortcuts',
      words: 'help keys',
      Icon: Keyboard,
      run: showShortcuts,
    },
    {
      id: 'action:sign-out',
      group: 'Actions',
      label: 'Sign out',
      words: 'log out leave',
      Icon: LogOut,
      run: signOut,
    },
  ];
}
