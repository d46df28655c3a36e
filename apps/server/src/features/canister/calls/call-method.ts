import { createHash, randomBytes } from 'node:crypto';
import { type CanisterCallOutcome, LONGEST_CALL_MS } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError, notFound } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { MANAGEMENT_ID } from '../../../ic/management/funding.ts';
import type { MethodCall, MethodOutcome } from '../../../ic/agent/method-call.ts';
import { markStep } from '../../account/first-steps.ts';
import type { CallsUnderWay } from './calls-under-way.ts';
import { mustBeOurs } from '../core/refusals.ts';
import { findCanister } from '../core/store.ts';

/** An outcome is asked for this long after the call has expired; by then the network forgets it. */
const LATEST_MS = 5 * 60_000;

export interface MethodCallInput {
  readonly canisterId: string;
  readonly method: string;
  /** Hex. */
  readonly argumentHex: string;
  readonly asQuery: boolean;
  /** ISO 8601. */
  readonly expiresAt: string | undefined;
  readonly key: string | undefined;
}

/**
 * Calls a method of a canister of the user as the server's identity, while that controls the canister. The server
 * controls the canisters of all users, so a canister must never be reached here but by its owner.
 * @throws AppError not_found, invalid_input, rate_limited, network_rejected when the server does not control the
 * canister, or network_unavailable
 */
export async function callMethod(
  ctx: AppContext,
  underWay: CallsUnderWay,
  user: Actor,
  input: MethodCallInput,
): Promise<CanisterCallOutcome> {
  const { id: canisterId } = await findCanister(ctx.db, user.id, input.canisterId);
  // No row has this id, as long as rows are only of canisters that the console has created.
  if (canisterId === MANAGEMENT_ID) throw notFound('Canister');
  const call = { canisterId, method: input.method, arg: Buffer.from(input.argumentHex, 'hex') };
  const expiresAt = input.expiresAt === undefined ? undefined : expiryOf(ctx, input.expiresAt);
  return underWay.run(user.id, async () => {
    const report = await ctx.ic.status(canisterId, { fast: true });
    mustBeOurs(ctx, canisterId, report);
    const { cycles: before } = report;
    const caller = ctx.ic.principal;
    if (input.asQuery) {
      const outcome = await ctx.ic.methods.query(call);
      await noteAnswer(ctx, user, outcome);
      return answerOf(caller, outcome, null);
    }
    const nonce = input.key === undefined ? randomBytes(16) : nonceOf(user.id, call, input.key);
    const outcome = await ctx.ic.methods.update({ ...call, nonce, expiresAt });
    await noteAnswer(ctx, user, outcome);
    const cycles = outcome.status === 'pending' ? null : await spent(ctx, canisterId, before);
    return answerOf(caller, outcome, cycles);
  });
}

/** The first answer is one of the user's first steps. The call has been made, whatever becomes of that. */
async function noteAnswer(ctx: AppContext, user: Actor, { status }: MethodOutcome): Promise<void> {
  if (status !== 'replied') return;
  await markStep(ctx.db, user.id, 'call').catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'a first step was not written down'),
  );
}

/** @throws AppError invalid_input for a moment that the network would not take, or has forgotten */
function expiryOf(ctx: AppContext, text: string): Date {
  const now = ctx.ic.clock().getTime();
  const given = new Date(text);
  if (given.getTime() > now + LONGEST_CALL_MS + 30_000 || given.getTime() < now - LATEST_MS)
    throw new AppError('invalid_input', 'A call must expire within four minutes.');
  return given;
}

/** The same request of the same user has the same nonce, by which the network knows it again. */
function nonceOf(userId: string, { canisterId, method, arg }: MethodCall, key: string): Uint8Array {
  const name = JSON.stringify([userId, canisterId, method, Buffer.from(arg).toString('hex'), key]);
  return createHash('sha256').update(name).digest().subarray(0, 16);
}

/** By how much the balance fell; null where it did not, as when cycles came in meanwhile, or cannot be read. */
async function spent(ctx: AppContext, canisterId: string, before: bigint): Promise<string | null> {
  const after = await ctx.ic.status(canisterId, { fast: true }).catch(() => undefined);
  return after !== undefined && after.cycles <= before ? String(before - after.cycles) : null;
}

function answerOf(caller: string, outcome: MethodOutcome, cycles: string | null): CanisterCallOutcome {
  switch (outcome.status) {
    case 'replied':
      return { caller, status: 'replied', reply_hex: Buffer.from(outcome.reply).toString('hex'), cycles };
    case 'rejected':
      return {
        caller,
        status: 'rejected',
        reject_code: outcome.reject?.code ?? null,
        error_code: outcome.reject?.errorCode ?? null,
        reject_message: outcome.reject?.text ?? outcome.message,
        cycles,
      };
    case 'pending':
      return { caller, status: 'pending' };
  }
}
