import { authenticate, checkTarget, isAnonymous } from '../identity/authentication.ts';
import { checkAddress } from './call.ts';
import { judgeFor } from '../identity/canister-signature.ts';
import type { ClientAddress } from '../transport/client-address.ts';
import type { CanisterContent, Envelope } from '../identity/envelope.ts';
import { checkExpiry } from '../identity/expiry.ts';
import { encodeRejection, encodeReply } from './query-reply.ts';
import { badRequest } from '../transport/request-error.ts';
import type { ApiRoute } from './route.ts';
import { cborReply, type HttpReply, type NetworkService } from './service.ts';

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
