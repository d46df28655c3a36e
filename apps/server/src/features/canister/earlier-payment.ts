import type { AppContext } from '../../context.ts';
import { otherRequest } from '../../db/answer-once.ts';
import type { Reader } from '../../db/tx.ts';
import type { Actor } from '../../http/actor.ts';
import { canisterOfAccount } from '../account/store.ts';
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

/** The payment of an earlier request of the same key that is under way or done; a refused one has left nothing. */
export async function findEarlierPayment(
  db: Reader,
  userId: string,
  key: string,
): Promise<EarlierPayment | undefined> {
  // The intent first: the transaction that deletes it is the one that books it.
  const intent = await db
    .selectFrom('intents')
    .select(['kind', 'cycles', 'canister_id'])
    .where('user_id', '=', userId)
    .where('request_key', '=', key)
    .executeTakeFirst();
  if (intent !== undefined) {
    return { kind: intent.kind, cycles: intent.cycles, canisterId: intent.canister_id, open: true };
  }
  const line = await db
    .selectFrom('transactions')
    .select(['transaction_name', 'amount', 'counter_account'])
    .where('user_id', '=', userId)
    .where('request_key', '=', key)
    .executeTakeFirst();
  if (line === undefined) return undefined;
  const kind = line.transaction_name === 'CANISTER_CREATE' ? 'create' : 'topup';
  return {
    kind,
    cycles: line.amount,
    canisterId: canisterOfAccount(line.counter_account) ?? null,
    open: false,
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
