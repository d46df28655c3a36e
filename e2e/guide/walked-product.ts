import { fileURLToPath } from 'node:url';
import type { Product } from '@cannery/dev-env';
import { expect } from '../support/product.ts';

/** A product that starts within seconds, also on a busy machine. */
const READY_MS = 30_000;

/** The Cannery that a newcomer starts, uses and stops. */
export interface WalkedProduct {
  readonly url: string;
  /** Folder of the project that it was started from. */
  readonly folder: string;
  /** How long the guide's reader waits for its line, in milliseconds. */
  readonly readyMs: number;
  /** Carries out the guide's command that starts it. */
  start(command: string): Promise<void>;
  /** As Ctrl+C does. */
  stop(): Promise<unknown>;
  /** Everything it printed since it was started. @throws Error when it ended without being asked to. */
  output(): string;
}

/** A product that runs already, from this checkout: the first start of the guide has happened. */
export function alreadyRunning(product: Product): WalkedProduct {
  let stopped = false;
  return {
    url: product.url,
    folder: fileURLToPath(new URL('../..', import.meta.url)),
    readyMs: READY_MS,
    start: async (command) => {
      expect(command).toBe('npm start');
      if (stopped) await product.restart();
      stopped = false;
    },
    stop: () => {
      stopped = true;
      return product.stop();
    },
    output: () => product.output(),
  };
}
