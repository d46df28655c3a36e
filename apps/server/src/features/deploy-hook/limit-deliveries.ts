import { AppError } from '../../errors.ts';
import { TokenBuckets } from '../../fairness/token-buckets.ts';

/** As many pushes at once as somebody makes who pushes all branches; then one a second. */
const OF_HOOK = { perSecond: 1, burst: 100 };
/** A git host sends the deliveries of all its users from few addresses. */
const OF_ADDRESS = { perSecond: 50, burst: 1000 };

/**
 * Counts a delivery before its body is read.
 * @throws AppError rate_limited
 */
export type CountDelivery = (hookId: string, address: string) => void;

/**
 * Limits deliveries a hook, then an address. What a hook has too much of does not count for the address: one repository
 * cannot use up what its git host may send for the others.
 */
export function limitDeliveries(): CountDelivery {
  const hooks = new TokenBuckets(OF_HOOK);
  const addresses = new TokenBuckets(OF_ADDRESS);
  return (hookId, address) => {
    const wait = hooks.take(hookId) || addresses.take(address);
    if (wait === 0) return;
    throw new AppError('rate_limited', 'Too many deliveries in a short time.', { retryAfterSeconds: wait });
  };
}
