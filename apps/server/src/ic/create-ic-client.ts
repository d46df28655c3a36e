import { IC_ROOT_KEY, type Identity } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { isMainnet } from '../config/config.ts';
import { NetworkClock } from '../network/network-time.ts';
import { type AgentSource, agentSource } from './agent/agent.ts';
import { BoundaryNodes } from './agent/boundary-nodes.ts';
import type { NetworkLogRecord } from './replies/canister-logs.ts';
import { decodeReport } from './management/canister-report.ts';
import { readCertified, readLeaf } from './agent/certified.ts';
import { MANAGEMENT_ID, type PaidCall } from './management/funding.ts';
import type { IcClient } from './ic-client.ts';
import type { SignedCall } from './replies/call-outcome.ts';
import { maybeOutOfCycles, type RejectedCode, toAppError } from './replies/ic-errors.ts';
import {
  clearChunks,
  type ManagementCall,
  type OnManagementCall,
  signInstall,
} from './management/install-code.ts';
import { encodeArg } from './management/management-idl.ts';
import { methodsOver, queryOf } from './agent/method-call.ts';
import type { NetworkPatience } from './agent/patience.ts';
import { readItems } from './replies/read-reply.ts';
import { replyOf } from './replies/reply-of.ts';
import { settingsValue } from './management/settings-idl.ts';
import { paymentsOver } from './ledger/payments.ts';
import { LIFETIME_MS, sendings, signCall, submitCall } from './agent/signed-call.ts';
import { snapshotName, snapshotsOver } from './management/snapshots.ts';

/** Indices of log records are nat64. */
const LAST_INDEX = 2n ** 64n - 1n;

/** Says in our words why a reply cannot be read. */
function refuse(error: unknown): never {
  throw toAppError(error);
}

/**
 * For so long after its expiry a call would still be known that was carried out, in milliseconds. A replica keeps the outcome for
 * five minutes from then on (`MAX_INGRESS_TTL`, `rs/limits`), and a call is signed for four at most; half of what is left is
 * for clocks that differ.
 */
const REMEMBERED_MS = 30_000;
/** The embedded network keeps outcomes for five minutes after the expiry, and counts no time in which it does not run. */
const EMBEDDED_REMEMBERED_MS = 4.5 * 60_000;

interface ClientOptions {
  /** Address of the IC HTTP interface as this server reaches it. */
  readonly icUrl: string;
  /** Other addresses of the same network, which are asked when that one does not answer. */
  readonly fallbackUrls?: readonly string[];
  readonly identity: Identity;
  /** Whether a proxy of the real IC is there; the real one's own addresses are known. */
  readonly isMainnet?: boolean;
  /** Canister id of the cycles ledger that pays; without one cycles come from nothing. */
  readonly cyclesLedger?: string | undefined;
  /** When the embedded network was started last, where it is the network. */
  readonly embeddedSince?: (() => Date) | undefined;
  /** Of the embedded network; any other is asked for its time. */
  readonly time?: NetworkClock | undefined;
}

/** The client of a network, which answers at once when that is away. */
export function createIcClient(options: ClientOptions): IcClient {
  const { icUrl, fallbackUrls = [], identity, time = new NetworkClock({ isRight: false }) } = options;
  const nodes = new BoundaryNodes([icUrl, ...fallbackUrls]);
  const agents = agentSource({ nodes, identity, isMainnet: isReal(options), time });
  return clientOver({ ...options, time }, nodes, agents);
}

function isReal({ icUrl, isMainnet: isTold }: ClientOptions): boolean {
  return isTold === true || isMainnet(icUrl);
}

/** @param patience with which it waits for the network; without it, it does not */
function clientOver(
  options: ClientOptions & { readonly time: NetworkClock },
  nodes: BoundaryNodes,
  ready: AgentSource,
  patience?: NetworkPatience,
): IcClient {
  const { identity, cyclesLedger: ledgerId, time } = options;
  const waiting = <T>(ask: () => Promise<T>): Promise<T> => patience?.through(ask) ?? ask();
  const agents: AgentSource = {
    with: (work, as) => waiting(() => ready.with(work, as)),
    now: (near) => waiting(() => ready.now(near)),
  };
  const sign = async (call: PaidCall): Promise<SignedCall> =>
    signCall(identity, call, {
      expiresAt: new Date((await agents.now(call.effectiveCanisterId)) + LIFETIME_MS),
    });

  /**
   * The reply to an update. Whoever waits for the network sends the same signed message until its outcome is known, so that one
   * whose answer was lost is not carried out again.
   */
  const update = async (call: PaidCall, rejectedAs: RejectedCode): Promise<Uint8Array> => {
    const signed = await sign(call);
    const sending = sendings(time, true);
    const outcome = await agents.with((agent) => submitCall(agent, signed, sending()), rejectedAs);
    return replyOf(outcome, rejectedAs);
  };
  const onManagement =
    <T>(act: (call: PaidCall) => Promise<T>): OnManagementCall<T> =>
    (method, value, effectiveCanisterId) =>
      act({ canisterId: MANAGEMENT_ID, method, arg: encodeArg(method, value), effectiveCanisterId });
  const managementAs = (rejectedAs: RejectedCode): ManagementCall =>
    onManagement((call) => update(call, rejectedAs));
  const management = managementAs('network_rejected');
  const signManagement = onManagement(sign);
  const onCanister = (method: 'start_canister' | 'stop_canister', canisterId: string) =>
    management(method, { canister_id: Principal.fromText(canisterId) }, canisterId);

  const payments = paymentsOver({ nodes, identity, agents, ledgerId, time, sign });
  const mustReply = async (call: SignedCall): Promise<Uint8Array> =>
    replyOf(await payments.submit(call, { isFresh: true }));

  return {
    patient: (given) => clientOver(options, nodes, ready, given),
    principal: identity.getPrincipal().toText(),
    rootKey: ({ ofMainnet }) =>
      ofMainnet || isReal(options)
        ? Promise.resolve(new Uint8Array(Buffer.from(IC_ROOT_KEY, 'hex')))
        : // A local network that was made again has another one.
          agents.with((agent) => agent.fetchRootKey()),
    now: () => new Date(time.now()),
    clock: () => new Date(time.clock()),
    isUp: () => nodes.isUp(),
    createCanister: async (request) =>
      payments.createdCanisterId(await mustReply(await payments.signCreate(request))),
    async status(canisterId, { fast = false } = {}) {
      const value = { canister_id: Principal.fromText(canisterId) };
      const asQuery = () =>
        agents.with((agent) =>
          queryOf(agent, MANAGEMENT_ID, 'canister_status', encodeArg('canister_status', value), canisterId),
        );
      const reply = fast
        ? await asQuery()
        : await management('canister_status', value, canisterId).catch((error: unknown) => {
            // A canister that is frozen cannot pay for the certified answer; a query costs it nothing.
            if (maybeOutOfCycles(error)) return asQuery();
            throw error;
          });
      return decodeReport(reply);
    },
    certified: (canisterId) =>
      agents.with((agent) => readCertified(agent, canisterId, identity.getPrincipal())),
    wouldRemember(expiresAt, asOf) {
      const { embeddedSince } = options;
      if (embeddedSince === undefined) return asOf.getTime() <= expiresAt.getTime() + REMEMBERED_MS;
      // Of a network that was set ahead this says too little: a jump counts as time in which it ran.
      const from = Math.max(expiresAt.getTime(), embeddedSince().getTime());
      return asOf.getTime() <= from + EMBEDDED_REMEMBERED_MS;
    },
    start: async (canisterId) => void (await onCanister('start_canister', canisterId)),
    stop: async (canisterId) => void (await onCanister('stop_canister', canisterId)),
    topUp: async (canisterId, cycles) => void (await mustReply(await payments.signTopUp(canisterId, cycles))),
    async updateSettings(canisterId, change) {
      const value = { canister_id: Principal.fromText(canisterId), settings: settingsValue(change) };
      await management('update_settings', value, canisterId);
    },
    async logs(canisterId, from) {
      const value = {
        canister_id: Principal.fromText(canisterId),
        filter: [{ by_idx: { start: from, end: LAST_INDEX } }],
      };
      const arg = encodeArg('fetch_canister_logs', value);
      const reply = await agents.with((agent) =>
        queryOf(agent, MANAGEMENT_ID, 'fetch_canister_logs', arg, canisterId),
      );
      const records: NetworkLogRecord[] = [];
      await readItems({ kind: 'logs', reply, canisterId }, (some) => records.push(...some)).catch(refuse);
      return records.filter(({ index }) => index >= from);
    },
    snapshots: snapshotsOver(management),
    methods: methodsOver({ identity, agents, time }),
    metadata: (canisterId, name) => agents.with((agent) => readLeaf(agent, canisterId, ['metadata', name])),
    async moduleHash(canisterId) {
      const hash = await agents.with((agent) => readLeaf(agent, canisterId, ['module_hash']));
      return hash === undefined ? null : Buffer.from(hash).toString('hex');
    },
    call: (canisterId, method, arg) =>
      update({ canisterId, method, arg, effectiveCanisterId: canisterId }, 'network_rejected'),
    query: (canisterId, method, arg) =>
      agents.with((agent) => queryOf(agent, canisterId, method, arg, canisterId)),
    signInstall: (request) =>
      signInstall({ call: managementAs('install_failed'), sign: signManagement }, request),
    signRestore: (canisterId, snapshotId) =>
      signManagement('load_canister_snapshot', snapshotName(canisterId, snapshotId), canisterId),
    clearChunks: (canisterId) => clearChunks(management, canisterId),
    signDelete: (canisterId) =>
      signManagement('delete_canister', { canister_id: Principal.fromText(canisterId) }, canisterId),
    ...payments,
    // Where to send it the network says.
    signCreate: (request) => waiting(() => payments.signCreate(request)),
  };
}
