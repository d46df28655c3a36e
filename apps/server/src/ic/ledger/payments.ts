import type { Identity } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import type { NetworkTime } from '../../network/network-time.ts';
import type { AgentSource } from '../agent/agent.ts';
import type { BoundaryNodes } from '../agent/boundary-nodes.ts';
import { readCertified } from '../agent/certified.ts';
import { isDuplicate, ledgerFunding, ledgerOutcome } from './cycles-ledger.ts';
import { decodeBalance, encodeBalanceOf, receiverOf } from './cycles-ledger-idl.ts';
import { type Funding, type PaidCall, provisionalFunding } from '../management/funding.ts';
import type { IcClient } from '../ic-client.ts';
import { type CallOutcome, refusalIn, type SignedCall } from '../replies/call-outcome.ts';
import { toAppError } from '../replies/ic-errors.ts';
import { queryOf } from '../agent/method-call.ts';
import { paidCallOf, readOutcome, sendings, submitCall } from '../agent/signed-call.ts';

/** How long a network may take to say how it is laid out, in milliseconds. */
const TOPOLOGY_TIMEOUT_MS = 5_000;

type Payments = Pick<
  IcClient,
  | 'signCreate'
  | 'signTopUp'
  | 'signAgain'
  | 'submit'
  | 'outcome'
  | 'createdCanisterId'
  | 'ledgerNote'
  | 'givesCyclesBack'
  | 'ledgerBalance'
>;

/** The calls that move cycles. @param parts.ledgerId the cycles ledger that pays; without one, cycles come from nothing */
export function paymentsOver(parts: {
  nodes: BoundaryNodes;
  identity: Identity;
  agents: AgentSource;
  ledgerId: string | undefined;
  time: NetworkTime;
  sign: (call: PaidCall) => Promise<SignedCall>;
}): Payments {
  const { nodes, identity, agents, ledgerId, time, sign } = parts;
  const funding: Funding =
    ledgerId === undefined
      ? provisionalFunding(() =>
          nodes.fetch(`${nodes.host}/_/topology`, undefined, { timeoutMs: TOPOLOGY_TIMEOUT_MS }),
        )
      : ledgerFunding(ledgerId, () => agents.now(ledgerId));

  /**
   * A cycles ledger refuses by a reply; what that reply says is the outcome. That the network did not take a repetition
   * to the ledger says nothing of the payment.
   */
  const decided = async (call: SignedCall, outcome: CallOutcome): Promise<CallOutcome> => {
    const refusal = refusalIn(outcome);
    if (call.isRepetition && refusal !== undefined) return { status: 'again', message: refusal.message };
    if (outcome.status !== 'replied' || call.ledgerTime === null) return outcome;
    const { method, arg } = paidCallOf(call);
    const now = await agents.now(call.effectiveCanisterId);
    if (method === 'create_canister') return ledgerOutcome(method, outcome.reply, call.ledgerTime, now);
    const said = ledgerOutcome('withdraw', outcome.reply, call.ledgerTime, now);
    // The ledger knows a withdrawal also when the cycles came back to it, which they do from a canister that is gone. That it is
    // gone now does not say that it was gone then: it may have had the cycles, and sent them on.
    if (said.status === 'replied' && isDuplicate('withdraw', said.reply) && (await isGone(receiverOf(arg))))
      return {
        status: 'uncertain',
        message: 'The canister is gone by now; whether the cycles reached it before cannot be told.',
      };
    return said;
  };
  const isGone = (canister: Principal): Promise<boolean> =>
    agents.with(async (agent) => {
      const { standing } = await readCertified(agent, canister.toText(), identity.getPrincipal());
      return standing === 'gone';
    });

  return {
    async signCreate({ cyclesAmount, environmentVariables = [] }) {
      try {
        return await sign(await funding.create({ cyclesAmount, environmentVariables }));
      } catch (error) {
        throw toAppError(error);
      }
    },
    signTopUp: async (canisterId, cycles) => sign(await funding.topUp(canisterId, cycles)),
    signAgain: async (call) => ({ ...(await sign(paidCallOf(call))), isRepetition: true }),
    submit(call, { isFresh } = { isFresh: false }) {
      const sending = sendings(time, isFresh);
      return agents.with(async (agent) => decided(call, await submitCall(agent, call, sending())));
    },
    outcome: (call) => agents.with(async (agent) => decided(call, await readOutcome(agent, call))),
    createdCanisterId: funding.createdCanisterId,
    ledgerNote: funding.ledgerNote,
    givesCyclesBack: funding.givesCyclesBack,
    async ledgerBalance() {
      if (ledgerId === undefined) return undefined;
      const arg = encodeBalanceOf(identity.getPrincipal());
      return decodeBalance(
        await agents.with((agent) => queryOf(agent, ledgerId, 'icrc1_balance_of', arg, ledgerId)),
      );
    },
  };
}
