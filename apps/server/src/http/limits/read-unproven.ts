import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { addressTenant } from '../../fairness/callers.ts';
import { BodiesInFlight, type BodyInFlight } from './bodies-in-flight.ts';

const MIB = 1024 * 1024;
/** Of webhooks: a git host sends from few addresses. */
const LIMITS = {
  bytes: 24 * MIB,
  bytesOfSender: 12 * MIB,
  bytesOfPlace: 8 * MIB,
  bodiesOfSender: 256,
};
/** How long such a body may take to come, in milliseconds; git hosts give up after ten seconds. */
export const UNPROVEN_BODY_MS = 10_000;

/** Bodies that are kept until their proof is checked, and bodies of which nothing is kept: none of these crowd the others out. */
const [kept, dropped] = [new BodiesInFlight(LIMITS), new BodiesInFlight(LIMITS)];

/**
 * Begins to count a body whose sender has proven nothing yet.
 * @param isKept whether its pieces stay in memory until the proof is checked
 * @throws AppError rate_limited
 */
export function enterUnproven(isKept: boolean, of: { address: string; place: string }): BodyInFlight {
  return (isKept ? kept : dropped).enter({ sender: addressTenant(of.address), place: of.place });
}

/** Lets routes of this scope read bodies of any type as they come. */
export function takeBodiesAsStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
}

/**
 * Reads the body of a request whose sender has proven nothing yet, piece by piece. A body that is refused is not read on.
 * @param options.most bytes of a body
 * @param options.take is given each piece, which is forgotten unless it keeps it
 * @throws AppError payload_too_large or rate_limited
 */
export async function readUnproven(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { most, inFlight, take }: { most: number; inFlight: BodyInFlight; take: (piece: Buffer) => void },
): Promise<void> {
  const { body } = request;
  if (body === undefined || body === null) return;
  try {
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
    let length = 0;
    for await (const piece of body as Readable) {
      length += piece.length;
      if (length > most) throw tooLarge();
      inFlight.add(piece.length);
      take(piece);
    }
  } catch (error) {
    reply.header('connection', 'close');
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_input', 'The body of the request was cut off.', { cause: error });
  }
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The upload is too large.');
}
