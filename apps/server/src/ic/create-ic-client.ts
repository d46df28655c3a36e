import { type HttpAgent, type Identity, lookupResultToBuffer } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { AppError } from '../errors.ts';
import { agentSource } from './agent.ts';
import { decodeLogs } from './canister-logs.ts';
import { decodeReport } from './canister-report.ts';
import { MANAGEMENT_ID, provisionalFunding } from './funding.ts';
import type { IcClient, SignedCall } from './ic-client.ts';
import { toAppError } from './ic-errors.ts';
import { installCode, type ManagementCall } from './install-code.ts';
import { encodeArg } from './management-idl.ts';
import { settingsValue } from './settings-idl.ts';
import { readOutcome, signCall, submitCall } from './signed-call.ts';
import { snapshotsOver } from './snapshots.ts';

const UP_TIMEOUT_MS = 1500;
/** Indices of log records are nat64. */
const LAST_INDEX = 2n ** 64n - 1n;

/** @param options.icUrl address of the IC HTTP interface as this server reaches it */
export function createIcClient(options: { icUrl: string; identity: Identity }): IcClient {
  const { icUrl, identity } = options;
  const agents = agentSource(icUrl, identity);
  const funding = provisionalFunding(icUrl);

  const withAgent = async <T>(work: (agent: HttpAgent) => Promise<T>): Promise<T> => {
    try {
      return await work(await agents.get());
    } catch (error) {
      throw toAppError(error);
    }
  };

  const rawManagement: ManagementCall = async (method, value, canisterId) => {
    const agent = await agents.get();
    const { reply } = await agent.update(MANAGEMENT_ID, {
      methodName: method,
      arg: encodeArg(method, value),
      effectiveCanisterId: Principal.fromText(canisterId),
    });
    return reply;
  };
  const management: ManagementCall = (method, value, canisterId) =>
    rawManagement(method, value, canisterId).catch((error: unknown) => {
      throw toAppError(error);
    });
  const onCanister = (method: 'start_canister' | 'stop_canister', canisterId: string) =>
    management(method, { canister_id: Principal.fromText(canisterId) }, canisterId);

  const readLeaf = (
    canisterId: string,
    path: readonly (string | Uint8Array)[],
  ): Promise<Uint8Array | undefined> =>
    withAgent(async (agent) => {
      const full = ['canister', Principal.fromText(canisterId).toUint8Array(), ...path].map((label) =>
        typeof label === 'string' ? new Uint8Array(Buffer.from(label)) : label,
      );
      const { verifiedCertificate } = await agent.readState(
        { canisterId: Principal.fromText(canisterId) },
        { paths: [full] },
      );
      return lookupResultToBuffer(verifiedCertificate.lookup_path(full));
    });

  const signCreate: IcClient['signCreate'] = async ({ cyclesAmount, environmentVariables = [] }) => {
    try {
      return await signCall(identity, await funding.create({ cyclesAmount, environmentVariables }));
    } catch (error) {
      throw toAppError(error);
    }
  };
  const signTopUp: IcClient['signTopUp'] = (canisterId, cycles) =>
    signCall(identity, funding.topUp(canisterId, cycles));
  const submit = (call: SignedCall) => withAgent((agent) => submitCall(agent, call));
  const mustReply = async (call: SignedCall): Promise<Uint8Array> => {
    const outcome = await submit(call);
    if (outcome.status === 'replied') return outcome.reply;
    throw new AppError(
      'network_rejected',
      outcome.status === 'rejected' ? outcome.message : 'The network did not answer the call in time.',
    );
  };

  return {
    principal: identity.getPrincipal().toText(),
    async isUp() {
      try {
        const response = await fetch(`${icUrl}/api/v2/status`, {
          signal: AbortSignal.timeout(UP_TIMEOUT_MS),
        });
        await response.arrayBuffer();
        return response.ok;
      } catch {
        return false;
      }
    },
    createCanister: async (request) => funding.createdCanisterId(await mustReply(await signCreate(request))),
    async status(canisterId, { fast = false } = {}) {
      const value = { canister_id: Principal.fromText(canisterId) };
      const reply = fast
        ? await withAgent((agent) =>
            queryOf(agent, MANAGEMENT_ID, 'canister_status', encodeArg('canister_status', value), canisterId),
          )
        : await management('canister_status', value, canisterId);
      return decodeReport(reply);
    },
    start: async (canisterId) => void (await onCanister('start_canister', canisterId)),
    stop: async (canisterId) => void (await onCanister('stop_canister', canisterId)),
    topUp: async (canisterId, cycles) => void (await mustReply(await signTopUp(canisterId, cycles))),
    async installCode(request) {
      try {
        await installCode(rawManagement, request);
      } catch (error) {
        throw toAppError(error, 'install_failed');
      }
    },
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
      const reply = await withAgent((agent) =>
        queryOf(agent, MANAGEMENT_ID, 'fetch_canister_logs', arg, canisterId),
      );
      return decodeLogs(reply).filter(({ index }) => index >= from);
    },
    snapshots: snapshotsOver(management),
    metadata: (canisterId, name) => readLeaf(canisterId, ['metadata', name]),
    async moduleHash(canisterId) {
      const hash = await readLeaf(canisterId, ['module_hash']);
      return hash === undefined ? null : Buffer.from(hash).toString('hex');
    },
    call: (canisterId, method, arg) =>
      withAgent(async (agent) => (await agent.update(canisterId, { methodName: method, arg })).reply),
    query: (canisterId, method, arg) =>
      withAgent((agent) => queryOf(agent, canisterId, method, arg, canisterId)),
    signCreate,
    signTopUp,
    async signDelete(canisterId) {
      const arg = encodeArg('delete_canister', { canister_id: Principal.fromText(canisterId) });
      return signCall(identity, {
        canisterId: MANAGEMENT_ID,
        method: 'delete_canister',
        arg,
        effectiveCanisterId: canisterId,
      });
    },
    givesCyclesBack: funding.givesCyclesBack,
    submit,
    outcome: (call) => withAgent((agent) => readOutcome(agent, call)),
    createdCanisterId: funding.createdCanisterId,
  };
}

async function queryOf(
  agent: HttpAgent,
  canisterId: string,
  methodName: string,
  arg: Uint8Array,
  effectiveCanisterId: string,
): Promise<Uint8Array> {
  const answer = await agent.query(canisterId, {
    methodName,
    arg,
    effectiveCanisterId: Principal.fromText(effectiveCanisterId),
  });
  if ('reply' in answer) return answer.reply.arg;
  throw new AppError('network_rejected', answer.reject_message, {
    detail: `${answer.reject_message} (reject code ${answer.reject_code}, ${answer.error_code ?? ''})`,
  });
}
