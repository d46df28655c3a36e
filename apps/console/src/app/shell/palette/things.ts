import type { Canister, Dapp, Deploy, Product, PublicConfig, Registry, Repository } from '@cannery/contract';
import {
  Box,
  Camera,
  CirclePlay,
  CirclePlus,
  CircleStop,
  Copy,
  FolderGit2,
  Globe,
  History,
  Package,
  PackagePlus,
  Pencil,
  Rocket,
  ScrollText,
  Settings,
  ShoppingBasket,
  SquareArrowOutUpRight,
  SquareTerminal,
  Undo2,
} from 'lucide-react';
import { paths } from '../../../config/paths.ts';
import { isRunning } from '../../../features/canister/api/canister-state.ts';
import { dappName } from '../../../features/marketplace/api/dapp-state.ts';
import { deployTypeTag } from '../../../lib/text/deploy-type-text.ts';
import { fillPattern } from '../../../lib/text/fill-pattern.ts';
import { cutMiddle, shown } from '../../../lib/text/formats.ts';
import { shownAddress, siteAddress } from '../../../lib/text/site-address.ts';
import type { Shelf } from './find-entries.ts';
import type { Deed, Doer } from './deeds.ts';
import { shelfOf, type Verb } from './shelf.ts';

/** What a user has, as far as it is known. */
export interface Things {
  readonly canisters: readonly Canister[] | undefined;
  readonly deploys: readonly Deploy[] | undefined;
  readonly repositories: readonly Repository[] | undefined;
  readonly registries: readonly Registry[] | undefined;
  /** What the marketplace offers. */
  readonly dapps: readonly Dapp[] | undefined;
  /** The samples of the demo. */
  readonly products: readonly Product[] | undefined;
  readonly config: PublicConfig | undefined;
}

const tabOf = (id: string, tab: string): Deed => ({
  to: { to: paths.canister, params: { id }, search: { tab } },
});

/** The part of a deploy that serves its website; undefined where it has none yet. */
function siteOf({ parts, type, canisters }: Deploy): string | undefined {
  const part = parts.find(({ kind, serves_http: serves }) => kind === 'site' || serves);
  return part?.canister_id ?? (type === 'STATIC_SITE' ? canisters[0] : undefined);
}

function canisterVerbs(config: PublicConfig | undefined): Verb<Canister>[] {
  return [
    {
      key: 'top-up',
      before: 'Top up',
      words: 'top-up add cycles pay',
      Icon: CirclePlus,
      does: (canister) => ({ ask: { kind: 'top-up', canister } }),
    },
    {
      key: 'stop',
      before: 'Stop',
      words: 'halt pause',
      Icon: CircleStop,
      does: (canister) => (isRunning(canister) ? { ask: { kind: 'toggle', canister } } : undefined),
    },
    {
      key: 'start',
      before: 'Start',
      words: 'run resume',
      Icon: CirclePlay,
      does: (canister) => (isRunning(canister) ? undefined : { ask: { kind: 'toggle', canister } }),
    },
    {
      key: 'install',
      before: 'Install code on',
      words: 'wasm module upgrade',
      Icon: PackagePlus,
      does: (canister) => ({ ask: { kind: 'install', canister } }),
    },
    {
      key: 'call',
      before: 'Call',
      words: 'methods',
      Icon: SquareTerminal,
      does: ({ id }) => tabOf(id, 'call'),
    },
    {
      key: 'candid',
      before: 'View',
      after: 'in Candid UI',
      Icon: SquareArrowOutUpRight,
      does: ({ id }) => config && { visit: fillPattern(config.candid_url_pattern, { canisterId: id, id }) },
    },
    {
      key: 'logs',
      before: 'Logs of',
      words: 'output printed',
      Icon: ScrollText,
      does: ({ id }) => tabOf(id, 'logs'),
    },
    {
      key: 'settings',
      before: 'Settings of',
      words: 'controllers memory',
      Icon: Settings,
      does: ({ id }) => tabOf(id, 'settings'),
    },
    {
      key: 'snapshots',
      before: 'Snapshots of',
      words: 'backup restore',
      Icon: Camera,
      does: ({ id }) => tabOf(id, 'snapshots'),
    },
    {
      key: 'history',
      before: 'History of',
      words: 'changes',
      Icon: History,
      does: ({ id }) => tabOf(id, 'history'),
    },
    {
      key: 'copy',
      before: 'Copy id of',
      Icon: Copy,
      does: ({ id }) => ({ ask: { kind: 'copy', text: id, what: 'The id' } }),
    },
  ];
}

function deployVerbs(config: PublicConfig | undefined): Verb<Deploy>[] {
  return [
    {
      key: 'deploy',
      before: 'Deploy',
      after: 'now',
      words: 'manual run build redeploy',
      Icon: Rocket,
      does: (deploy) =>
        deploy.repository_deleted === true ? undefined : { ask: { kind: 'start run', deploy } },
    },
    {
      key: 'roll-back',
      before: 'Roll back',
      words: 'rollback undo revert',
      Icon: Undo2,
      does: (deploy) => (deploy.deployInstance ? { ask: { kind: 'roll back deploy', deploy } } : undefined),
    },
    {
      key: 'run',
      before: 'Last run of',
      words: 'log logs build output newest',
      Icon: ScrollText,
      does: ({ id, deployInstance: run }) =>
        run ? { to: { to: paths.deployRun, params: { id, runId: run.id } } } : undefined,
    },
    {
      key: 'site',
      before: 'Open',
      after: 'site',
      words: 'visit website address url',
      Icon: Globe,
      does: (deploy) => {
        const id = siteOf(deploy);
        return id !== undefined && config !== undefined ? { visit: siteAddress(config, id) } : undefined;
      },
    },
    {
      key: 'settings',
      before: 'Settings of',
      words: 'build variables branch',
      Icon: Settings,
      does: ({ id }) => ({ to: { to: paths.deployTab, params: { id, tab: 'settings' } } }),
    },
    {
      key: 'copy',
      before: 'Copy id of',
      Icon: Copy,
      does: ({ id }) => ({ ask: { kind: 'copy', text: id, what: 'The id' } }),
    },
  ];
}

function repositoryVerbs(config: PublicConfig | undefined): Verb<Repository>[] {
  return [
    {
      key: 'copy',
      before: 'Copy clone address of',
      words: 'url',
      Icon: Copy,
      does: ({ owner, name }) =>
        config && {
          ask: {
            kind: 'copy',
            text: fillPattern(config.git_provider.clone_url_pattern, { owner: owner.login, repo: name }),
            what: 'The address',
          },
        },
    },
  ];
}

const productVerbs: Verb<Product>[] = [
  {
    key: 'edit',
    before: 'Edit',
    words: 'change',
    Icon: Pencil,
    does: ({ id }) => ({ to: { to: '/app/ecommerce/management/edit/$id', params: { id } } }),
  },
];

const NONE: readonly never[] = [];

interface Parts {
  /** Those that exist on the network. */
  readonly known: readonly Canister[];
  readonly sites: readonly Canister[];
}

/** By list: what a list is found by is kept with it, so that the same list has the same parts. */
const parts = new WeakMap<readonly Canister[], Parts>();

function partsOf(canisters: readonly Canister[]): Parts {
  const made = parts.get(canisters);
  if (made !== undefined) return made;
  const known = canisters.filter(({ id }) => id !== '');
  const both = { known, sites: known.filter(({ serves_http: serves }) => serves) };
  parts.set(canisters, both);
  return both;
}

/** What a user has, and what can be done with it. */
export function shelvesOf(things: Things, doer: Doer): Shelf[] {
  const { canisters, deploys, repositories, registries, dapps, products, config } = things;
  const { known, sites } = partsOf(canisters ?? NONE);
  const isEmbedded = config?.git_provider.embedded === true;
  return [
    shelfOf<Canister>({
      kind: 'canister',
      group: 'Canisters',
      things: known,
      Icon: Box,
      describe: ({ id, name }) => ({
        id,
        name: shown(name),
        note: id,
      }),
      opens: ({ id }) => ({ to: { to: paths.canister, params: { id } } }),
      verbs: canisterVerbs(config),
      doer,
    }),
    shelfOf<Deploy>({
      kind: 'deploy',
      group: 'DApps',
      things: deploys ?? [],
      Icon: Rocket,
      describe: ({ id, name, type }) => ({
        id,
        name: shown(name),
        note: deployTypeTag(type),
        words: id,
      }),
      opens: ({ id }) => ({ to: { to: paths.deploy, params: { id } } }),
      verbs: deployVerbs(config),
      doer,
    }),
    shelfOf<Canister>({
      kind: 'site',
      group: 'Websites',
      things: config === undefined ? NONE : sites,
      Icon: Globe,
      around: ['Open ', ''],
      describe: ({ id, name }) => ({
        id,
        name: shown(name),
        note: shownAddress(siteAddress(config, id) ?? ''),
        words: 'visit site address url',
      }),
      opens: ({ id }) => ({ visit: siteAddress(config, id) ?? '' }),
      doer,
    }),
    shelfOf<Repository>({
      kind: 'repository',
      group: 'Repositories',
      things: repositories ?? [],
      Icon: FolderGit2,
      describe: ({ owner: { login }, name }) => ({
        id: `${login}/${name}`,
        name,
        note: login,
        words: 'git repository source code',
      }),
      opens: ({ owner: { login }, name, url }) =>
        isEmbedded ? { to: { to: '/$owner/$repo', params: { owner: login, repo: name } } } : { visit: url },
      verbs: repositoryVerbs(config),
      doer,
    }),
    shelfOf<Registry>({
      kind: 'registry',
      group: 'Registries',
      things: registries ?? [],
      Icon: Package,
      describe: ({ id, name, wasm_identifier: identifier }) => ({
        id,
        name: shown(name),
        note: cutMiddle(identifier ?? '', 5, 3),
        words: id,
      }),
      opens: ({ id }) => ({ to: { to: paths.registries, search: { entry: id } } }),
      doer,
    }),
    shelfOf<Dapp>({
      kind: 'dapp',
      group: 'Marketplace',
      things: dapps ?? [],
      Icon: Package,
      describe: (dapp) => ({
        id: dapp.id,
        name: dappName(dapp),
        note: `v${shown(dapp.version)}`,
        words: dapp.user?.username ?? '',
      }),
      opens: ({ id }) => ({ to: { to: paths.dapp, params: { id } } }),
      doer,
    }),
    shelfOf<Product>({
      kind: 'product',
      group: 'Demo',
      things: products ?? [],
      Icon: ShoppingBasket,
      describe: ({ id, title }) => ({
        id,
        name: shown(title),
        note: 'Sample product',
        words: 'demo',
      }),
      opens: ({ id }) => ({ to: { to: '/app/ecommerce/product/$id', params: { id } } }),
      verbs: productVerbs,
      doer,
    }),
  ];
}
