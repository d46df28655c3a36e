import { sql } from 'kysely';
import type { AppContext } from '../../../context.ts';
import { otherRequest } from '../../../db/answer-once.ts';
import { type Reader, runOften } from '../../../db/tx.ts';
import type { Actor } from '../../../http/actor.ts';
import { canisterOfAccount } from '../../account/store.ts';
import { awaitOutcome, UNDER_WAY } from './await-outcome.ts';

/** A request of the user to pay for something. */
export interface PaymentRequest {
  readonly kind: 'create' | 'topup';
  /** What the client calls the request; the same again when it sends it again. */
  readonly key: string | undefined;
  readonly cycles: bigint;
  /** Absent for a creation. */
  readonly canisterId?: string;
}

interface EarlierPayment {
  readonly kind: string;
  readonly cycles: bigint;
  readonly canisterId: string | null;
  /** Whether its outcome is not known yet. */
  readonly open: boolean;
}

/**
 * What an earlier request of the same key pays, or another intent of that key; a refused one has left nothing. Payments
 * are found under way and done, other intents under way only.
 */
export async function findEarlierPayment(
  db: Reader,
  userId: string,
  key: string,
): Promise<EarlierPayment | undefined> {
  // The transaction that deletes the intent is the one that books the line: one statement sees one of them.
  const [found] = await runOften(
    db,
    sql<{
      kind: string;
      cycles: bigint;
      canister_id: string | null;
      counter_account: string | null;
      open: boolean;
    }>`
      select kind, cycles, canister_id, null as counter_account, true as open
      from intents where user_id = ${userId} and request_key = ${key}
      union all
      select case transaction_name when 'CANISTER_CREATE' then 'create' else 'topup' end, amount, null,
        counter_account, false
      from transactions where user_id = ${userId} and request_key = ${key}`,
  );
  if (found === undefined) return undefined;
  const { kind, cycles, canister_id: canisterId, counter_account: account, open } = found;
  return {
    kind,
    cycles,
    canisterId: account === null ? canisterId : (canisterOfAccount(account) ?? null),
    open,
  };
}

/**
 * The canister that an earlier request of the same key has paid for; its end is waited for.
 * @returns undefined when there is none, so that the request is to be carried out
 * @throws AppError invalid_input when the key belongs to another request, network_unavailable when the outcome is not
 * known in time
 */
export async function awaitEarlierPayment(
  ctx: AppContext,
  user: Actor,
  { kind, key, cycles, canisterId }: PaymentRequest,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  return awaitOutcome(async () => {
    const earlier = await findEarlierPayment(ctx.db, user.id, key);
    if (earlier === undefined) return undefined;
    const isSame =
      earlier.kind === kind &&
      earlier.cycles === cycles &&
      (canisterId === undefined || earlier.canisterId === canisterId);
    if (!isSame) throw otherRequest();
    return earlier.open ? UNDER_WAY : (earlier.canisterId ?? undefined);
  });
}
