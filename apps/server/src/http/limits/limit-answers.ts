import type { FastifyInstance } from 'fastify';
import { addressTenant } from '../../fairness/callers.ts';
import type { CallLimiter } from '../../fairness/call-limiter.ts';
import { BodiesInFlight } from './bodies-in-flight.ts';
import { senderOf } from './sender.ts';
import { whenOver } from './when-over.ts';

const MIB = 1024 * 1024;
/** Answers of fewer characters are not counted: what the system holds for a connection is more. */
const SMALL = 64 * 1024;
/** The largest answer, a run with its log, has some 10 MB; the console takes one at a time. */
const OF_USER = 24 * MIB;
const OF_USERS = {
  bytes: 192 * MIB,
  bytesOfSender: OF_USER,
  bytesOfPlace: 192 * MIB,
  bodiesOfSender: 500,
};
/** Whoever is not signed in gets the description of the API, and of its kind. */
const OF_STRANGERS = {
  bytes: 32 * MIB,
  bytesOfSender: 4 * MIB,
  bytesOfPlace: 32 * MIB,
  bodiesOfSender: 500,
};
/** Who takes so long for an answer is not waited for, in milliseconds: 10 MB in that time are less than a megabit a second. */
const TAKEN_MS = 120_000;

/**
 * Bounds the texts that were made as answers and are not taken yet: one waits in memory as a whole while its reader reads nothing.
 * What comes on top is refused (AppError rate_limited). Streams are read as their readers take them, and files of the console are
 * shared by all answers: neither counts.
 */
export function limitAnswers(app: FastifyInstance, callLimiter: CallLimiter, takenMs = TAKEN_MS): void {
  const users = new BodiesInFlight(OF_USERS);
  const strangers = new BodiesInFlight(OF_STRANGERS);
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < SMALL) return payload;
    // Its reader has gone: nothing is kept for it.
    if (reply.raw.closed) return payload;
    const sender = callLimiter.tenantOf(senderOf(request));
    const isUser = sender !== addressTenant(request.ip);
    const answer = (isUser ? users : strangers).enter({ sender, place: 'answers' });
    const timer = setTimeout(() => reply.raw.destroy(), takenMs);
    whenOver(reply.raw, () => {
      clearTimeout(timer);
      answer[Symbol.dispose]();
    });
    // One that is larger than all a sender may have is answered alone.
    answer.add(Math.min(payload.length, isUser ? OF_USER : OF_STRANGERS.bytesOfSender));
    return payload;
  });
}
