import type { AppContext } from '../context.ts';
import { startSampler } from '../features/canister/balance/balance-samples.ts';
import { sweepChanges } from '../features/canister/change/sweep-changes.ts';
import { startSweeper, sweepIntents } from '../features/canister/payment/sweep-intents.ts';
import { runCause } from '../features/deploy/store/run-changes.ts';
import { startCollector } from '../features/document/collect-unused.ts';
import { dappCause } from '../features/marketplace/dapp-cause.ts';
import { startCleaner } from '../features/session/clean-up.ts';

/** Starts what ends payments and changes that were cut off, samples balances, and removes what nothing uses any more. */
export function keepHouse(ctx: AppContext, started: AsyncDisposableStack): void {
  const causes = { run: runCause, dapp: dappCause };
  const sweepers = [() => sweepIntents(ctx), () => sweepChanges(ctx, causes)].map((sweep) =>
    startSweeper(ctx, sweep),
  );
  started.defer(async () => {
    await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
  });
  const sampler = startSampler(ctx);
  started.defer(() => sampler.stop());
  const cleaner = startCleaner(ctx);
  started.defer(() => cleaner.stop());
  const collector = startCollector(ctx);
  started.defer(() => collector.stop());
}
