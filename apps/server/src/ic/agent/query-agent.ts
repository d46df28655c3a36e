import {
  type ApiQueryResponse,
  hashOfMap,
  HttpAgent,
  type HttpAgentOptions,
  IC_RESPONSE_DOMAIN_SEPARATOR,
  type Identity,
  type QueryFields,
  QueryResponseStatus,
} from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { isSignedBy } from './ed25519.ts';

/** An answer that was signed longer ago counts for nothing, as with the agent (ingress_expiry of the interface). */
const MOST_AGE_MS = 5 * 60_000;
const NANOS_PER_MS = 1_000_000n;

type NodeKeys = Awaited<ReturnType<HttpAgent['fetchSubnetKeys']>>;

/**
 * The agent, with answers to queries checked by OpenSSL: in JavaScript a check takes 2 ms. Only what is good beyond doubt is
 * taken; of everything else the agent itself is the judge, which asks again.
 */
export class QueryAgent extends HttpAgent {
  readonly #judge: HttpAgent;

  constructor(options: HttpAgentOptions) {
    super({ ...options, verifyQuerySignatures: false });
    this.#judge = HttpAgent.createSync(options);
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
    if (isGood(answer, keys, Date.now())) return answer;
    this.#judge.rootKey = this.rootKey;
    return this.#judge.query(canisterId, fields, identity);
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
