import { API_BASE } from '../../config/config.ts';
import type { AppContext } from '../../context.ts';

/** Where deliveries come, without the id of the hook. */
export const HOOK_PATH = `${API_BASE}/hooks/deploy`;

/** The address that a git host calls. */
export function hookAddress({ addresses }: Pick<AppContext, 'addresses'>, id: string): string {
  return `${addresses.publicUrl}${HOOK_PATH}/${id}`;
}

/** Where the secret of a hook belongs: sealed for it, it opens nowhere else. */
export function sealingPlace(id: string): string {
  return `secret of hook ${id}`;
}
