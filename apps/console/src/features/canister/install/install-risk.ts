import type { InstallMode, ModuleInspection } from '@cannery/contract';
import type { UpgradeChoice } from './install-options.tsx';

/** Whether installing a module loses data of the canister, or fails for it, as far as the inspection can tell. */
export function losesData(
  inspection: ModuleInspection | undefined,
  mode: InstallMode,
  upgrade: UpgradeChoice,
): boolean {
  if (mode !== 'upgrade') return mode === 'reinstall';
  const changes = inspection?.already_installed === true ? undefined : inspection?.upgrade;
  const dropsMemory = inspection?.keeps_memory === true && upgrade.keepMemory === false;
  return changes?.stable_memory.verdict === 'breaking' || upgrade.skipPreUpgrade || dropsMemory;
}

/**
 * What has to be confirmed by a tick, as the end of the sentence 'Install it anyway: ...'; undefined for nothing.
 * Erasing data by a choice made in the dialog itself (the mode, an option) is a decision already.
 */
export function confirmationOf(
  inspection: ModuleInspection | undefined,
  mode: InstallMode,
): string | undefined {
  if (!inspection?.upgrade || inspection.already_installed) return undefined;
  const { candid, stable_memory: stable } = inspection.upgrade;
  const parts = [
    mode === 'upgrade' && stable.verdict === 'breaking' ? 'data may be lost' : undefined,
    candid.verdict === 'breaking' ? 'callers may break' : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' and ');
}
