import type { InstallMode } from '@cannery/contract';
import type { InstallRequest } from '../api/mutations.ts';
import type { UpgradeChoice } from './install-options.tsx';

/** Install arguments: encoded by the form, or as Candid text; both absent for none. */
export type EnteredArguments = Pick<InstallRequest, 'argument' | 'argument_hex'>;

/** The arguments of a Candid text; blank for none. */
export function textArguments(text: string): EnteredArguments {
  return text.trim() === '' ? {} : { argument: text.trim() };
}

/** The install call; it carries only what differs from how an install usually goes. */
export function installRequest(
  identifier: string,
  mode: InstallMode,
  entered: EnteredArguments,
  upgrade: UpgradeChoice,
): InstallRequest {
  const options =
    mode === 'upgrade'
      ? {
          ...(upgrade.keepMemory !== undefined && {
            wasm_memory_persistence: upgrade.keepMemory ? ('keep' as const) : ('replace' as const),
          }),
          ...(upgrade.skipPreUpgrade && { skip_pre_upgrade: true }),
        }
      : {};
  return { identifier, mode, ...entered, ...options };
}
