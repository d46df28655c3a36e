import type { NodeSignature } from '@cannery/ic/certification/signatures/signer';
import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import { authenticate, checkTarget, isAnonymous } from '../identity/authentication.ts';
import { judgeFor } from '../identity/canister-signature.ts';
import type { CanisterContent, Envelope } from '../identity/envelope.ts';
import { checkExpiry } from '../identity/expiry.ts';
import type { ClientAddress } from '../transport/client-address.ts';
import { badRequest } from '../transport/request-error.ts';
import { checkAddress } from './call.ts';
import type { ApiRoute } from './route.ts';
import { cborReply, type HttpReply, type NetworkService } from './service.ts';

/** The parts of a reply that are the same in all of them, as CBOR; between them stand the numbers of one reply. */
const part = (shape: string): Buffer => Buffer.from(shape, 'latin1');
const BEFORE_ARG = part('\xd9\xd9\xf7\xa3\x65reply\xa1\x63arg');
const BEFORE_IDENTITY = part('\x66status\x67replied\x6asignatures\x81\xa3\x68identity\x58\x1d');
const BEFORE_SIGNATURE = part('\x69signature\x58\x40');
const BEFORE_TIMESTAMP = part('\x69timestamp\x1b');
const TIMESTAMP_LENGTH = 8;

/** The answer to a query that was replied to, as CBOR: the map that `encodeCbor` would write, put together by hand. */
export function encodeReply(arg: Uint8Array, { identity, signature, timestamp }: NodeSignature): Uint8Array {
  const parts = [
    BEFORE_ARG,
    bytesHead(arg.length),
    arg,
    BEFORE_IDENTITY,
    identity,
    BEFORE_SIGNATURE,
    signature,
    BEFORE_TIMESTAMP,
  ];
  const length = parts.reduce((sum, each) => sum + each.length, TIMESTAMP_LENGTH);
  const body = Buffer.allocUnsafe(length);
  let at = 0;
  for (const each of parts) {
    body.set(each, at);
    at += each.length;
  }
  body.writeBigUInt64BE(timestamp, at);
  return body;
}

/** The answer to a query that was rejected, as CBOR. */
function encodeRejection(response: Readonly<Record<string, unknown>>, signature: NodeSignature): Uint8Array {
  return encodeCbor({ ...response, signatures: [signature] });
}

/** The head of a CBOR byte string. */
function bytesHead(length: number): Buffer {
  if (length < 24) return Buffer.of(0x40 | length);
  if (length < 0x100) return Buffer.of(0x58, length);
  if (length < 0x1_0000) return Buffer.of(0x59, length >> 8, length & 0xff);
  const head = Buffer.of(0x5a, 0, 0, 0, 0);
  head.writeUInt32BE(length, 1);
  return head;
}

/** Query calls: run on the committed state and answered with the node's signature. */
export async function handleQuery(
  service: NetworkService,
  route: ApiRoute,
  envelope: Envelope<CanisterContent>,
  address: ClientAddress,
): Promise<HttpReply> {
  const { content, requestId } = envelope;
  const now = service.now();
  const machineNow = service.machineNow?.() ?? now;
  if (!isAnonymous(content.sender)) checkExpiry(content.expiryNanos, now, machineNow);
  const authorization = await authenticate(envelope, machineNow, judgeFor(service.certifier, address));
  checkTarget(authorization, content.canisterId);
  const isManagement = content.canisterId.length === 0;
  if (route.scope === 'subnet' && !isManagement) {
    throw badRequest('Only the management canister can be queried at the address of a subnet');
  }
  if (route.scope === 'canister' && !isManagement) checkAddress(content.canisterId, route.target);

  const { sender, canisterId, method, arg } = content;
  const outcome = await service.queries.run({
    sender,
    canisterId,
    method,
    arg,
    ...(authorization.callerInfo && { callerInfo: authorization.callerInfo }),
    ...(route.scope === 'canister' && { effectiveCanisterId: route.target }),
  });
  const timestamp = service.now();
  if (outcome.status === 'replied') {
    const signature = await service.nodeSigner.signReply(outcome.reply, requestId, timestamp);
    return cborReply(encodeReply(outcome.reply, signature));
  }
  const rejection = {
    status: 'rejected',
    reject_code: outcome.rejectCode,
    reject_message: outcome.message,
    error_code: outcome.errorCode,
  };
  const signature = await service.nodeSigner.signResponse(rejection, requestId, timestamp);
  return cborReply(encodeRejection(rejection, signature));
}
