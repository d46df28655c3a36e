import {
  AppWindow,
  Box,
  LayoutDashboard,
  Package,
  Rocket,
  Store,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { paths } from '../../config/paths.ts';

interface MenuLink {
  readonly kind: 'link';
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly to: string;
  /** Addresses below which the item counts as open. */
  readonly open: readonly string[];
}

interface MenuGroup {
  readonly kind: 'group';
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly children: readonly { readonly label: string; readonly to: string }[];
}

/** An item that announces what does not exist yet. */
interface MenuPromise {
  readonly kind: 'coming soon';
  readonly label: string;
  readonly Icon: LucideIcon;
}

/** The sidebar's items, in order. */
export const menuItems: readonly (MenuLink | MenuGroup | MenuPromise)[] = [
  {
    kind: 'link',
    label: 'Dashboard',
    Icon: LayoutDashboard,
    to: paths.dashboard,
    open: [paths.dashboard],
  },
  {
    kind: 'link',
    label: 'Canisters',
    Icon: Box,
    to: paths.canisters,
    open: [paths.canisters, '/ics/canister', '/canisters'],
  },
  {
    kind: 'link',
    label: 'DApps',
    Icon: AppWindow,
    to: paths.dapps,
    open: [paths.dapps, '/ics/deploy'],
  },
  {
    kind: 'group',
    label: 'Create DApp',
    Icon: Rocket,
    children: [
      { label: 'Static Website', to: '/ics/deploy/?type=STATIC_SITE' },
      { label: 'Motoko Smart Contract', to: '/ics/deploy/?type=MOTOKO' },
    ],
  },
  {
    kind: 'link',
    label: 'Registries',
    Icon: Package,
    to: paths.registries,
    open: [paths.registries],
  },
  {
    kind: 'link',
    label: 'Marketplace',
    Icon: Store,
    to: paths.marketplace,
    open: [paths.marketplace, '/ics/dapp'],
  },
  { kind: 'coming soon', label: 'Pipelines', Icon: Workflow },
];

/** Whether an address lies at or below one of the given ones. */
export function isOpen(pathname: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => pathname === address || pathname.startsWith(`${address}/`));
}

/** The steps to a new app lie below the addresses of apps, but are none. */
const CREATION = /^\/ics\/deploy(\/(new\/?)?)?$/;

/** Whether an item leads to where the user is. */
export function isCurrent(item: MenuLink | MenuGroup, pathname: string): boolean {
  if (item.kind === 'group') return CREATION.test(pathname);
  return isOpen(pathname, item.open) && !CREATION.test(pathname);
}
