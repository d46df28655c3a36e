import {
  type Canister,
  type Deploy,
  type DeployInstance,
  type PublicConfig,
  isFinished,
} from '@cannery/contract';
import {
  CirclePlay,
  CirclePlus,
  CircleStop,
  Globe,
  PackagePlus,
  Rocket,
  ScrollText,
  Settings,
  SquareArrowOutUpRight,
  Undo2,
} from 'lucide-react';
import { paths } from '../../../config/paths.ts';
import { isRunning } from '../../../features/canister/api/canister-state.ts';
import { canRollBack, liveRun } from '../../../features/deploy/api/instances.ts';
import { fillPattern } from '../../../lib/text/fill-pattern.ts';
import { shown } from '../../../lib/text/formats.ts';
import { siteAddress } from '../../../lib/text/site-address.ts';
import type { PaletteEntry } from './entries.ts';
import type { Doer } from './deeds.ts';

/** What can be done with the canister that is open. @param toggle stops it when it is told that it runs, else starts it */
export function canisterEntries(
  canister: Canister,
  config: PublicConfig | undefined,
  { go, visit, ask, toggle }: Doer & { readonly toggle: (running: boolean) => Promise<void> },
): PaletteEntry[] {
  const { id } = canister;
  const running = isRunning(canister);
  const tab = (name: string): Pick<PaletteEntry, 'to' | 'run'> => {
    const to = { to: paths.canister, params: { id }, search: { tab: name } };
    return { to, run: () => go(to) };
  };
  const entry = (key: string, rest: Omit<PaletteEntry, 'id' | 'group' | 'note'>): PaletteEntry => ({
    ...rest,
    id: `open:${key}`,
    group: 'This canister',
    note: shown(canister.name),
  });
  return [
    entry('toggle', {
      label: running ? 'Stop' : 'Run',
      words: running ? 'halt pause' : 'start',
      Icon: running ? CircleStop : CirclePlay,
      run: () => void toggle(running),
    }),
    entry('top-up', {
      label: 'Add Cycles',
      words: 'top up',
      Icon: CirclePlus,
      run: () => ask({ kind: 'top-up', canister }),
    }),
    entry('install', {
      label: 'Install WASM',
      words: 'upgrade module code',
      Icon: PackagePlus,
      run: () => ask({ kind: 'install', canister }),
    }),
    ...(config === undefined
      ? []
      : [
          ...(canister.serves_http
            ? [
                entry('site', {
                  label: 'Open the site',
                  words: 'visit address url website',
                  Icon: Globe,
                  run: () => visit(siteAddress(config, id)),
                }),
              ]
            : []),
          entry('candid', {
            label: 'View in Candid UI',
            words: 'call methods',
            Icon: SquareArrowOutUpRight,
            run: () => visit(fillPattern(config.candid_url_pattern, { canisterId: id, id })),
          }),
        ]),
    entry('logs', {
      label: 'Canister logs',
      Icon: ScrollText,
      ...tab('logs'),
    }),
    entry('settings', {
      label: 'Settings',
      words: 'controllers',
      Icon: Settings,
      ...tab('settings'),
    }),
  ];
}

/** What can be done with the deploy that is open. @param start starts a run */
export function deployEntries(
  deploy: Deploy,
  runs: readonly DeployInstance[],
  config: PublicConfig | undefined,
  { go, visit, ask, start }: Doer & { readonly start: () => Promise<unknown> },
): PaletteEntry[] {
  const { id, type, canisters } = deploy;
  const live = liveRun(runs, deploy.live_run);
  const earlier = runs.find((run) => canRollBack(run, live));
  const [canisterId] = canisters;
  const settings = { to: paths.deployTab, params: { id, tab: 'settings' } };
  const entry = (key: string, rest: Omit<PaletteEntry, 'id' | 'group'>): PaletteEntry => ({
    note: shown(deploy.name),
    ...rest,
    id: `open:${key}`,
    group: 'This DApp',
  });
  const isBusy = runs.some(({ status }) => status !== null && !isFinished(status));
  return [
    ...(isBusy
      ? []
      : [
          entry('deploy', {
            label: 'Manual Deploy',
            words: 'run build now',
            Icon: Rocket,
            run: () => void start(),
          }),
        ]),
    ...(earlier === undefined
      ? []
      : [
          entry('roll-back', {
            label: `Roll back to ${earlier.commit_id?.slice(0, 7) || 'the run before'}`,
            note: earlier.commit_message ?? undefined,
            words: 'undo revert rollback',
            Icon: Undo2,
            run: () => ask({ kind: 'roll back', run: earlier, live }),
          }),
        ]),
    ...(type === 'STATIC_SITE' && canisterId !== undefined && config !== undefined
      ? [
          entry('site', {
            label: 'Open the site',
            words: 'visit address url',
            Icon: Globe,
            run: () => visit(siteAddress(config, canisterId)),
          }),
        ]
      : []),
    entry('settings', {
      label: 'Settings',
      words: 'build variables',
      Icon: Settings,
      to: settings,
      run: () => go(settings),
    }),
  ];
}
