import { expect, test } from 'vitest';
import type { RequestStatus } from '@cannery/ic/state-leaves';
import { IngressHistory, knownRequest } from './ingress-history.ts';
import { UndoLog } from '../undo-log.ts';

const MINUTE = 60_000_000_000n;
const known = (expiryNanos: bigint, status: RequestStatus) =>
  knownRequest({
    requestId: Uint8Array.of(1),
    sender: Uint8Array.of(4),
    canisterId: Uint8Array.of(2),
    effectiveCanisterId: Uint8Array.of(2),
    expiryNanos,
    status,
  });
const replied = (bytes: number) => known(0n, { status: 'replied', reply: new Uint8Array(bytes) });

test('finished requests are forgotten five minutes after their expiry, open ones stay', () => {
  const history = new IngressHistory();
  const undo = new UndoLog();
  history.set(undo, 'finished', known(MINUTE, { status: 'done' }));
  history.set(undo, 'open', known(MINUTE, { status: 'processing' }));
  expect(history.expired(6n * MINUTE)).toEqual([]);
  expect(history.expired(6n * MINUTE + 1n)).toEqual(['finished']);
  history.forget(undo, 'finished');
  expect([...history.keys()]).toEqual(['open']);
});

test('the oldest replies are named when all together are too long', () => {
  const history = new IngressHistory();
  const undo = new UndoLog();
  history.set(undo, 'a', known(0n, { status: 'received' }));
  for (const name of ['b', 'c', 'd']) history.set(undo, name, replied(10));
  history.set(undo, 'a', replied(10));
  expect(history.beyond(40)).toEqual([]);
  expect(history.beyond(25)).toHaveLength(2);
  history.set(undo, 'a', known(0n, { status: 'done' }));
  history.set(undo, 'b', known(0n, { status: 'done' }));
  expect(history.beyond(25)).toEqual([]);
  for (const id of history.expired(100n * MINUTE)) history.forget(undo, id);
  expect([...history.keys()]).toEqual([]);
  expect(history.beyond(0)).toEqual([]);
});
