import { encodeCbor } from '../certification/cbor.ts';
import { authenticate, checkTarget, isAnonymous } from './authentication.ts';
import type { Envelope, ReadStateContent } from './envelope.ts';
import { checkExpiry } from './expiry.ts';
import { checkReadable } from './readable-paths.ts';
import type { ApiRoute } from './route.ts';
import { cborReply, type HttpReply, type NetworkService } from './service.ts';

/** Certificates for parts of the state tree. */
export async function handleReadState(
  service: NetworkService,
  { scope, target }: ApiRoute,
  envelope: Envelope<ReadStateContent>,
): Promise<HttpReply> {
  const { content } = envelope;
  const now = service.now();
  if (!isAnonymous(content.sender)) checkExpiry(content.expiryNanos, now);
  const authorization = authenticate(envelope, now);
  if (scope === 'canister') checkTarget(authorization, target);
  checkReadable(content.paths, { sender: content.sender, scope, target }, service.state);
  const certificate = await service.certifier.certificate(content.paths);
  return cborReply(encodeCbor({ certificate }));
}
