/** Tabs of a canister's page, in order; the address names the open one as `?tab=`. */
const canisterTabs = ['overview', 'call', 'logs', 'settings', 'snapshots', 'history'] as const;
export type CanisterTab = (typeof canisterTabs)[number];

/** The tab an address names; the first for a missing or unknown name. */
export function canisterTabOf(name: string | undefined): CanisterTab {
  return canisterTabs.find((tab) => tab === name) ?? 'overview';
}
