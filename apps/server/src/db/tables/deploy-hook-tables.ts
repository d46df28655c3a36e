import type { DeliveryOutcome } from '@cannery/contract';
import type { Generated } from 'kysely';

/** Addresses at which other git hosts tell of pushes: at most one a deploy. */
export interface DeployHooksTable {
  /** In the address; it says nothing of the deploy. */
  id: string;
  deploy_id: string;
  /** The secret, sealed for this hook: signatures are checked with the secret itself. */
  sealed: Buffer;
  /** When the secret was made. */
  created_at: Generated<Date>;
  /** The last delivery that had the secret; null until then. */
  last_delivery_at: Date | null;
  last_delivery: DeliveryOutcome | null;
}

export interface DeployHookTables {
  deploy_hooks: DeployHooksTable;
}
