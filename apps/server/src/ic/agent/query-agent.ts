import {
  type ApiQueryResponse,
  Expiry,
  hashOfMap,
  HttpAgent,
  type HttpAgentOptions,
  type HttpAgentRequestTransformFn,
  IC_RESPONSE_DOMAIN_SEPARATOR,
  type Identity,
  type QueryFields,
  QueryResponseStatus,
} from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { type NetworkTime, TimeInDoubtError } from '../../network/network-time.ts';
import { MANAGEMENT_ID } from '../management/funding.ts';
import type { BoundaryNodes } from './boundary-nodes.ts';
import { isSignedBy } from './ed25519.ts';
import { LIFETIME_MS } from './signed-call.ts';

/** An answer that was signed longer ago counts for nothing, as with the agent (ingress_expiry of the interface). */
const MOST_AGE_MS = 5 * 60_000;
const NANOS_PER_MS = 1_000_000n;

type NodeKeys = Awaited<ReturnType<HttpAgent['fetchSubnetKeys']>>;

/** Has the requests of an agent expire by the time of the network. */
function expireBy(time: NetworkTime, agent: HttpAgent): void {
  const adjust: HttpAgentRequestTransformFn = async (request) => {
    request.body.ingress_expiry = Expiry.fromDeltaInMilliseconds(LIFETIME_MS, time.aheadMs());
    return undefined;
  };
  agent.addTransform('update', adjust);
  agent.addTransform('query', adjust);
}

/**
 * The agent, with answers to queries checked by OpenSSL: in JavaScript a check takes 2 ms. Only what is good beyond doubt is
 * taken; of everything else the agent itself is the judge, which asks again.
 *
 * The agent would ask the network for its time once and for ever, so that it works no more when a clock that was wrong is set right.
 * This one throws `TimeInDoubtError` instead: whoever uses it knows when to ask again.
 */
export class QueryAgent extends HttpAgent {
  readonly #options: HttpAgentOptions;
  readonly #time: NetworkTime;
  /** Where it sends what it is asked to send. */
  readonly nodes: BoundaryNodes;

  constructor(options: HttpAgentOptions, time: NetworkTime, nodes: BoundaryNodes) {
    super({ ...options, verifyQuerySignatures: false });
    this.#options = options;
    this.#time = time;
    this.nodes = nodes;
    expireBy(time, this);
  }

  /** The agent checks the times of certificates by it. */
  override getTimeDiffMsecs(): number {
    return this.#time.aheadMs();
  }

  /** Where the agent finds that the time does not fit. @throws TimeInDoubtError */
  override async syncTime(target?: Parameters<HttpAgent['syncTime']>[0]): Promise<void> {
    const isOfCanister = typeof target === 'object' && 'canisterId' in target;
    throw new TimeInDoubtError(isOfCanister ? Principal.from(target.canisterId).toText() : MANAGEMENT_ID);
  }

  override async query(
    canisterId: Principal | string,
    fields: QueryFields,
    identity?: Identity | Promise<Identity>,
  ): Promise<ApiQueryResponse> {
    const target = fields.effectiveTarget ?? {
      canisterId: Principal.from(fields.effectiveCanisterId ?? canisterId),
    };
    const [answer, keys] = await Promise.all([
      super.query(canisterId, fields, identity),
      this.fetchSubnetKeys(target),
    ]);
    if (isGood(answer, keys, this.#time.now())) return answer;
    const judge = HttpAgent.createSync({
      ...this.#options,
      ...(this.rootKey === null ? {} : { rootKey: this.rootKey }),
    });
    expireBy(this.#time, judge);
    return judge.query(canisterId, fields, identity);
  }
}

/**
 * Whether an answer to a query is signed, lately, by nodes of the subnet and by nobody else.
 * @param keys of the nodes of the subnet, by their principals
 * @param now in milliseconds
 */
export function isGood(answer: ApiQueryResponse, keys: NodeKeys, now: number): boolean {
  const { signatures = [], requestId } = answer;
  if (signatures.length === 0 || signatures.length > keys.size) return false;
  return signatures.every(({ timestamp, signature, identity }) => {
    const key = keys.get(Principal.fromUint8Array(identity).toText());
    if (key === undefined || now - Number(BigInt(timestamp) / NANOS_PER_MS) > MOST_AGE_MS) return false;
    const said = { ...contentOf(answer), timestamp: BigInt(timestamp), request_id: requestId };
    return isSignedBy(key, signature, Buffer.concat([IC_RESPONSE_DOMAIN_SEPARATOR, hashOfMap(said)]));
  });
}

/** What of an answer is signed beside the time and the request (interface specification, "Request: Query call"). */
function contentOf(answer: ApiQueryResponse): Record<string, unknown> {
  if (answer.status === QueryResponseStatus.Replied) return { status: answer.status, reply: answer.reply };
  const { status, reject_code, reject_message, error_code } = answer;
  return { status, reject_code, reject_message, error_code };
}
