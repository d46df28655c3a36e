import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import type { Gate } from '../fairness/gate.ts';
import { senderOf } from './sender.ts';

/** How long a refusal is held back, in milliseconds: who calls again at once gets slower, not others. */
const HOLD_MS = 1000;
/** Refusals that are held at the same time; what comes on top loses its connection. */
const MOST_HELD = 500;

/** Counts every request before anything else looks at it, and answers 429 to a sender that calls too often. */
export function limitRates(app: FastifyInstance, gate: Gate): void {
  let held = 0;
  app.addHook('onRequest', async (request, reply) => {
    try {
      gate.count(senderOf(request));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (held >= MOST_HELD) {
        reply.hijack();
        request.raw.socket.destroy();
        return;
      }
      held += 1;
      await delay(HOLD_MS, undefined, { ref: false });
      held -= 1;
      throw error;
    }
  });
}
