import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import { authenticate, isAnonymous } from '../identity/authentication.ts';
import { judgeFor } from '../identity/canister-signature.ts';
import type { ClientAddress } from '../transport/client-address.ts';
import type { Envelope, ReadStateContent } from '../identity/envelope.ts';
import { checkExpiry } from '../identity/expiry.ts';
import { checkReadable } from './readable-paths.ts';
import type { ApiRoute } from './route.ts';
import { cborReply, type HttpReply, type NetworkService } from './service.ts';

/** Certificates for parts of the state tree. */
export async function handleReadState(
  service: NetworkService,
  { scope, version, target }: ApiRoute,
  envelope: Envelope<ReadStateContent>,
  address: ClientAddress,
): Promise<HttpReply> {
  const { sender, paths, expiryNanos } = envelope.content;
  const now = service.now();
  const machineNow = service.machineNow?.() ?? now;
  if (!isAnonymous(sender)) checkExpiry(expiryNanos, now, machineNow);
  const { targets } = await authenticate(envelope, machineNow, judgeFor(service.certifier, address));
  const reader = { sender, targets, scope, version, target, rootSubnet: service.keys.subnetId };
  checkReadable(paths, reader, service.state);
  const certificate = await service.certifier.certificate(paths);
  return cborReply(encodeCbor({ certificate }));
}
