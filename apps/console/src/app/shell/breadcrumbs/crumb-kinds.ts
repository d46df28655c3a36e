import { useQuery } from '@tanstack/react-query';
import { paths } from '../../../config/paths.ts';
import { canisterQuery, canistersQuery } from '../../../features/canister/api/queries.ts';
import { deployQuery } from '../../../features/deploy/api/queries.ts';
import { dappName } from '../../../features/marketplace/api/dapp-state.ts';
import { firstView } from '../../../features/marketplace/api/dapps-view.ts';
import { dappQuery, dappsQuery } from '../../../features/marketplace/api/queries.ts';
import { deploysQuery } from '../../../lib/shared/deploys.ts';
import { shown } from '../../../lib/text/formats.ts';
import type { OpenThing } from '../open-thing.ts';

interface Sibling {
  readonly id: string;
  readonly name: string;
}

interface CrumbKind {
  /** The list above, as the sidebar calls it. */
  readonly list: { readonly label: string; readonly to: string };
  /** What others are called. */
  readonly others: string;
  readonly path: string;
}

export const crumbKinds: Readonly<Record<OpenThing['kind'], CrumbKind>> = {
  canister: {
    list: { label: 'Canisters', to: paths.canisters },
    others: 'other canisters',
    path: paths.canister,
  },
  deploy: {
    list: { label: 'DApps', to: paths.dapps },
    others: 'other DApps',
    path: paths.deploy,
  },
  dapp: {
    list: { label: 'Marketplace', to: paths.marketplace },
    others: 'other DApps of the marketplace',
    path: paths.dapp,
  },
};

/** The name of what is open, as soon as its page or its list has it; nothing is asked for here. */
export function useOpenName({ kind, id }: OpenThing): string | undefined {
  const of = (wanted: OpenThing['kind']) => ({ enabled: false, subscribed: kind === wanted });
  const canister = useQuery({ ...canisterQuery(id), ...of('canister') }).data;
  const canisters = useQuery({ ...canistersQuery, ...of('canister') }).data;
  const deploy = useQuery({ ...deployQuery(id), ...of('deploy') }).data;
  const deploys = useQuery({ ...deploysQuery, ...of('deploy') }).data;
  const dapp = useQuery({ ...dappQuery(id), ...of('dapp') }).data;
  const isIt = (one: { readonly id: string }): boolean => one.id === id;
  const found = {
    canister: () => canister ?? canisters?.find(isIt),
    deploy: () => deploy ?? deploys?.find(isIt),
    dapp: () => dapp && { name: dappName(dapp) },
  }[kind]();
  return found && shown(found.name);
}

interface Siblings {
  /** All things of a kind, in the order of their list; undefined while they are asked for, and where they cannot be had. */
  readonly siblings: readonly Sibling[] | undefined;
  readonly isError: boolean;
}

/** The things of a kind. What failed is asked for again wherever they are shown next. */
export function useSiblings(kind: OpenThing['kind']): Siblings {
  const canisters = useQuery({ ...canistersQuery, enabled: kind === 'canister' });
  const deploys = useQuery({ ...deploysQuery, enabled: kind === 'deploy' });
  const dapps = useQuery({ ...dappsQuery(firstView), enabled: kind === 'dapp' });
  const siblings = {
    canister: () => canisters.data?.map(({ id, name }) => ({ id, name: shown(name) })),
    deploy: () => deploys.data?.map(({ id, name }) => ({ id, name: shown(name) })),
    dapp: () => dapps.data?.map((dapp) => ({ id: dapp.id, name: dappName(dapp) })),
  }[kind]();
  return { siblings, isError: { canister: canisters, deploy: deploys, dapp: dapps }[kind].isError };
}
