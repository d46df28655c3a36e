import type { Canister, Dapp, Deploy, PublicConfig, Registry } from '@cannery/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  AppWindow,
  Box,
  CircleUserRound,
  Globe,
  Keyboard,
  LayoutDashboard,
  LogOut,
  Package,
  Palette,
  Plus,
  Rocket,
  Store,
} from 'lucide-react';
import { useMemo } from 'react';
import { paths } from '../../../config/paths.ts';
import { canistersQuery } from '../../../features/canister/api/queries.ts';
import { deploysQuery } from '../../../lib/shared/deploys.ts';
import { dappName } from '../../../features/marketplace/api/dapp-state.ts';
import { firstView } from '../../../features/marketplace/api/dapps-view.ts';
import { dappsQuery } from '../../../features/marketplace/api/queries.ts';
import { session } from '../../../lib/session/current-session.ts';
import { cutMiddle, shown } from '../../../lib/text/formats.ts';
import { shownAddress, siteAddress } from '../../../lib/text/site-address.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { deployTypeTag } from '../../../lib/text/deploy-type-text.ts';
import { registriesQuery } from '../../../lib/shared/registries.ts';
import { useSettled } from '../../../lib/browser/use-settled.ts';
import { themeChoices, themeStore } from '../../../lib/browser/theme.ts';
import { themeNames, themeNotes } from '../theme-names.ts';
import type { PaletteEntry } from './entries.ts';
import type { OpenDialog } from './open-entries.ts';
import { useOpenEntries } from './use-open-entries.ts';

interface EntryActions {
  /** What is typed. */
  readonly text: string;
  readonly onCreateCanister: () => void;
  readonly onShortcuts: () => void;
  /** Opens the dialog of an action on what is open. */
  readonly onAsk: (dialog: OpenDialog) => void;
}

type Navigate = ReturnType<typeof useNavigate>;

/** Registries that the palette is offered at a time, the newest or those that have what is typed in their names. */
const REGISTRIES = 25;
/** They are searched for once typing pauses; milliseconds. */
const SEARCH_SETTLES_MS = 150;

/** Everything the palette offers; what the user owns and what is new in the marketplace are fetched when it opens. */
export function useEntries({
  text,
  onCreateCanister,
  onShortcuts,
  onAsk,
}: EntryActions): readonly PaletteEntry[] {
  const open = useOpenEntries(onAsk);
  const navigate = useNavigate();
  const config = usePublicConfig();
  const { data: canisters } = useQuery(canistersQuery);
  const { data: deploys } = useQuery(deploysQuery);
  const { data: offered } = useQuery(dappsQuery(firstView));
  const market = useMemo(() => marketEntries(navigate, offered ?? []), [navigate, offered]);
  const search = useSettled(text.trim(), SEARCH_SETTLES_MS);
  const { data: page } = useQuery({
    ...registriesQuery({ search, sorting: undefined, page: 0, size: REGISTRIES }),
    placeholderData: keepPreviousData,
  });
  const registries = page?.registries;
  const owned = useMemo(
    () => [...ownedEntries(navigate, { canisters, deploys, registries }), ...siteEntries(canisters, config)],
    [navigate, canisters, deploys, registries, config],
  );
  const fixed = useMemo(
    () => fixedEntries(navigate, { onCreateCanister, onShortcuts }),
    [navigate, onCreateCanister, onShortcuts],
  );
  const lasting = useMemo(() => [...fixed, ...owned, ...market], [fixed, owned, market]);
  return useMemo(() => [...open, ...lasting], [open, lasting]);
}

interface Owned {
  readonly canisters: readonly Canister[] | undefined;
  readonly deploys: readonly Deploy[] | undefined;
  readonly registries: readonly Registry[] | undefined;
}

/** What the user's canisters serve. */
function siteEntries(
  canisters: readonly Canister[] | undefined,
  config: PublicConfig | undefined,
): PaletteEntry[] {
  if (canisters === undefined || config === undefined) return [];
  return canisters
    .filter(({ id, serves_http: serves }) => serves && id !== '')
    .map(({ id, name }): PaletteEntry => {
      const url = siteAddress(config, id);
      return {
        id: `site:${id}`,
        group: 'Websites',
        label: `Open ${shown(name)}`,
        note: shownAddress(url),
        words: 'visit site address url',
        Icon: Globe,
        run: () => window.open(url, '_blank', 'noopener,noreferrer'),
      };
    });
}

function ownedEntries(navigate: Navigate, { canisters, deploys, registries }: Owned): PaletteEntry[] {
  return [
    ...(canisters ?? []).map(
      ({ id, name }): PaletteEntry => ({
        id: `canister:${id}`,
        group: 'Canisters',
        label: shown(name),
        note: id,
        Icon: Box,
        run: () => void navigate({ to: paths.canister, params: { id } }),
      }),
    ),
    ...(deploys ?? []).map(
      ({ id, name, type }): PaletteEntry => ({
        id: `deploy:${id}`,
        group: 'DApps',
        label: shown(name),
        note: deployTypeTag(type),
        words: id,
        Icon: Rocket,
        run: () => void navigate({ to: paths.deploy, params: { id } }),
      }),
    ),
    ...(registries ?? []).map(
      ({ id, name, wasm_identifier: identifier }): PaletteEntry => ({
        id: `registry:${id}`,
        group: 'Registries',
        label: shown(name),
        note: cutMiddle(identifier ?? '', 5, 3),
        words: id,
        Icon: Package,
        run: () => void navigate({ to: paths.registries, search: { entry: id } }),
      }),
    ),
  ];
}

function marketEntries(navigate: Navigate, dapps: readonly Dapp[]): PaletteEntry[] {
  return dapps.map((dapp) => ({
    id: `dapp:${dapp.id}`,
    group: 'Marketplace',
    label: dappName(dapp),
    note: `v${shown(dapp.version)}`,
    words: dapp.user?.username ?? '',
    Icon: Package,
    run: () => void navigate({ to: paths.dapp, params: { id: dapp.id } }),
  }));
}

/** Pages and actions, the same for everybody. */
function fixedEntries(
  navigate: Navigate,
  { onCreateCanister, onShortcuts }: Pick<EntryActions, 'onCreateCanister' | 'onShortcuts'>,
): PaletteEntry[] {
  const go =
    (to: string, search: Record<string, string> = {}) =>
    () =>
      void navigate({ to, search });
  return [
    {
      id: 'page:dashboard',
      group: 'Pages',
      label: 'Dashboard',
      words: 'home balance',
      Icon: LayoutDashboard,
      run: go(paths.dashboard),
    },
    {
      id: 'page:canisters',
      group: 'Pages',
      label: 'Canisters',
      words: 'list',
      Icon: Box,
      run: go(paths.canisters),
    },
    {
      id: 'page:dapps',
      group: 'Pages',
      label: 'DApps',
      words: 'apps deploys list',
      Icon: AppWindow,
      run: go(paths.dapps),
    },
    {
      id: 'page:registries',
      group: 'Pages',
      label: 'Registries',
      words: 'modules wasm list',
      Icon: Package,
      run: go(paths.registries),
    },
    {
      id: 'page:marketplace',
      group: 'Pages',
      label: 'Marketplace',
      words: 'dapps store install submit',
      Icon: Store,
      run: go(paths.marketplace),
    },
    {
      id: 'page:account',
      group: 'Pages',
      label: 'Account',
      words: 'profile transactions',
      Icon: CircleUserRound,
      run: go(paths.account),
    },
    {
      id: 'action:create-canister',
      group: 'Actions',
      label: 'Create canister',
      words: 'new add',
      Icon: Plus,
      run: onCreateCanister,
    },
    {
      id: 'action:add-registry',
      group: 'Actions',
      label: 'Add registry',
      words: 'new module wasm upload',
      Icon: Plus,
      run: go(paths.registries, { add: 'registry' }),
    },
    {
      id: 'action:static-website',
      group: 'Actions',
      label: 'Create static website',
      words: 'new dapp deploy',
      Icon: Rocket,
      run: go(paths.deployChoice, { type: 'STATIC_SITE' }),
    },
    {
      id: 'action:motoko',
      group: 'Actions',
      label: 'Create Motoko smart contract',
      words: 'new dapp deploy',
      Icon: Rocket,
      run: go(paths.deployChoice, { type: 'MOTOKO' }),
    },
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
      run: onShortcuts,
    },
    {
      id: 'action:sign-out',
      group: 'Actions',
      label: 'Sign out',
      words: 'log out leave',
      Icon: LogOut,
      run: () => void session.signOut(),
    },
  ];
}
