import { setTimeout as delay } from 'node:timers/promises';
import { MAX_WASM_BYTES } from '@cannery/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import type { CallLimiter } from '../../fairness/call-limiter.ts';
import type { NoteRefusal } from '../handle-errors.ts';
import { ratesRefused } from '../../metrics/instruments.ts';
import { senderOf } from './sender.ts';

/** How long a refusal is held back at least, in milliseconds: who calls again at once gets slower, not others. */
const HOLD_MS = 1000;
/**
 * Refusals of the same moment are let go one after another, this many milliseconds apart, and begin again after some:
 * otherwise a crowd of calls comes back as a crowd, and keeps everybody waiting once in a second.
 */
const APART_MS = 20;
const MOST_APART = 50;
/** Refusals that are held at the same time; what comes on top loses its connection. */
const MOST_HELD = 500;

/**
 * Counts every request before anything else looks at it, and answers 429 to a sender that calls too often.
 *
 * @param holdMs how long a refusal is held back at least
 * @param note is told of a refusal that gets no answer
 */
export function limitRates(
  app: FastifyInstance,
  callLimiter: CallLimiter,
  holdMs = HOLD_MS,
  note?: NoteRefusal,
): void {
  let held = 0;
  let refused = 0;
  app.addHook('onRequest', async (request, reply) => {
    let kind = 'calls';
    try {
      const sender = senderOf(request);
      const counting = callLimiter.count(sender);
      if (counting !== undefined) await counting;
      if (request.routeOptions.config.isUpload === true) {
        kind = 'uploads';
        const length = Number(request.headers['content-length'] ?? MAX_WASM_BYTES);
        await callLimiter.countUpload(sender, Math.min(length, MAX_WASM_BYTES));
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      ratesRefused.add({ kind });
      if (held >= MOST_HELD) {
        note?.(request, error);
        reply.hijack();
        request.raw.socket.destroy();
        return;
      }
      held += 1;
      refused += 1;
      await delay(holdMs + (refused % MOST_APART) * APART_MS, undefined, { ref: false });
      held -= 1;
      throw error;
    }
  });
}
