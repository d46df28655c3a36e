import {
  AgentError,
  CertificateNotAuthorizedErrorCode,
  type HttpAgent,
  HttpErrorCode,
  type KnownPath,
  StatePaths,
} from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { hexText } from './form/blob-bytes.ts';
import { decodeReply } from './reply/decode-reply.ts';

/** What the network certifies about a canister. */
export interface CanisterFacts {
  readonly id: string;
  readonly controllers: readonly string[];
  /** SHA-256 of the installed module in hexadecimal; undefined when no code is installed. */
  readonly moduleHash: string | undefined;
  /** The interface the canister publishes; undefined when it publishes none. */
  readonly candid: string | undefined;
}

/**
 * Reads the certified facts of a canister through read_state. Returns undefined when the network has no
 * such canister. @throws AgentError when the network cannot be reached or its certificate is wrong
 */
export async function loadCanister(agent: HttpAgent, id: string): Promise<CanisterFacts | undefined> {
  const canisterId = Principal.fromText(id);
  const controllersPath = StatePaths.canisterControllers(canisterId);
  const hashPath = StatePaths.canisterModuleHash(canisterId);
  try {
    const { values } = await agent.readState({ canisterId }, { paths: [controllersPath, hashPath] });
    const controllers = values.get(controllersPath);
    if (controllers === null) return undefined;
    const hash = values.get(hashPath);
    return {
      id,
      controllers: controllers.map((controller) => controller.toText()),
      moduleHash: hash ? hexText(hash) : undefined,
      candid: hash ? await readCandid(agent, canisterId) : undefined,
    };
  } catch (error) {
    if (isUnknownCanister(error)) return undefined;
    throw error;
  }
}

/**
 * The interface a canister publishes to the agent's identity: its `candid:service` metadata, else what old Motoko
 * canisters answer to a query made for this purpose. @throws AgentError when the network cannot be reached
 */
export async function readCandid(agent: HttpAgent, canisterId: Principal): Promise<string | undefined> {
  const published = await readMetadata(agent, canisterId, StatePaths.canisterCandid(canisterId));
  if (published !== undefined) return published;
  const answer = await agent
    .query(canisterId, { methodName: '__get_candid_interface_tmp_hack', arg: IDL.encode([], []) })
    .catch(() => undefined);
  if (!answer || !('reply' in answer)) return undefined;
  try {
    const [text] = decodeReply([IDL.Text], answer.reply.arg);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

async function readMetadata(
  agent: HttpAgent,
  canisterId: Principal,
  path: KnownPath<string>,
): Promise<string | undefined> {
  try {
    const { values } = await agent.readState({ canisterId }, { paths: [path] });
    return values.get(path) ?? undefined;
  } catch (error) {
    // Private metadata: only controllers may read it.
    if (httpStatus(error) === 403) return undefined;
    throw error;
  }
}

function isUnknownCanister(error: unknown): boolean {
  if (!(error instanceof AgentError)) return false;
  if (error.code instanceof CertificateNotAuthorizedErrorCode) return true;
  return error.code instanceof HttpErrorCode && /canister[_ ]not[_ ]found/i.test(error.code.bodyText ?? '');
}

function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof AgentError) || !(error.code instanceof HttpErrorCode)) return undefined;
  return error.code.status;
}

const CanisterIdRecord = IDL.Record({ canister_id: IDL.Principal });
/** The one field of the status that is read; Candid skips the others. */
const Balance = IDL.Record({ cycles: IDL.Nat });

/**
 * The balance of a canister in cycles, by a query of its status, which costs it nothing; undefined when the network
 * does not say, as to anyone but a controller.
 */
export async function readBalance(agent: HttpAgent, id: string): Promise<bigint | undefined> {
  const canisterId = Principal.fromText(id);
  try {
    const answer = await agent.query(Principal.managementCanister(), {
      methodName: 'canister_status',
      arg: IDL.encode([CanisterIdRecord], [{ canister_id: canisterId }]),
      effectiveCanisterId: canisterId,
    });
    if (!('reply' in answer)) return undefined;
    const [status] = decodeReply([Balance], answer.reply.arg) as [{ cycles: bigint }];
    return status.cycles;
  } catch {
    // The balance is beside the call that was asked for; what is wrong with the network, the call itself will say.
    return undefined;
  }
}
