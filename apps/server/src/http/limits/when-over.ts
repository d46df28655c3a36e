import type { ServerResponse } from 'node:http';

const acts = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Does something when an answer is over, whether its reader has it or went away; at once where it is over already. An answer has
 * one listener for all that wait for its end: with one each, Node takes those of a busy call for a leak.
 */
export function whenOver(response: ServerResponse, act: () => void): void {
  if (response.closed) return act();
  const known = acts.get(response);
  if (known !== undefined) {
    known.push(act);
    return;
  }
  const all = [act];
  acts.set(response, all);
  response.once('close', () => {
    for (const one of all) one();
  });
}
