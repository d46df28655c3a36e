import { expect, test } from 'vitest';
import type { StateDelta } from '@cannery/ic/state-leaves';
import { type Publication, Publisher } from './publisher.ts';

const canister = (n: number, data: number, metadata?: []): StateDelta['canisters'][number] => ({
  canisterId: Uint8Array.of(n),
  createdAtNanos: 0n,
  controllers: [],
  certifiedData: Uint8Array.of(data),
  ...(metadata && { metadata }),
});
const delta = (part: Partial<StateDelta>): StateDelta => ({
  canisters: [],
  deleted: [],
  requests: [],
  ...part,
});

test('nothing is sent before it is on disk, then all of it in order, merged up to a deletion', async () => {
  const sent: Publication[] = [];
  const { promise: onDisk, resolve } = Promise.withResolvers<void>();
  const publisher = new Publisher(
    () => onDisk,
    (publication) => sent.push(publication),
  );
  publisher.publish(1, delta({ canisters: [canister(1, 1, [])] }));
  publisher.publish(2, delta({}));
  publisher.publish(3, delta({ canisters: [canister(1, 2), canister(2, 1)] }));
  publisher.publish(4, delta({ deleted: [Uint8Array.of(2)] }));
  publisher.publishSnapshot(9, delta({ canisters: [canister(1, 2)] }));
  publisher.publish(5, delta({ canisters: [canister(2, 7)] }));
  await Promise.resolve();
  expect(sent).toEqual([]);
  resolve();
  await publisher.flushed();
  expect(
    sent.flatMap(({ kind, delta: { canisters, deleted } }) => [
      kind,
      canisters.map(({ canisterId, certifiedData }) => [canisterId[0], certifiedData[0]]),
      deleted.length,
    ]),
  ).toEqual(
    // The first delta waits alone: the others arrived while it was being written.
    [
      'delta',
      [[1, 1]],
      0,
      'delta',
      [
        [1, 2],
        [2, 1],
      ],
      0,
      'delta',
      [],
      1,
      'snapshot',
      [[1, 2]],
      0,
      'delta',
      [[2, 7]],
      0,
    ],
  );
});

test('merged deltas keep the newest leaves and the metadata', async () => {
  const sent: Publication[] = [];
  const writes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let write = 0;
  const publisher = new Publisher(
    () => writes[write++]!.promise,
    (publication) => sent.push(publication),
  );
  publisher.publish(1, delta({ canisters: [canister(5, 0)] }));
  await Promise.resolve();
  publisher.publish(2, delta({ canisters: [canister(1, 1, [])] }));
  publisher.publish(3, delta({ canisters: [canister(1, 2)] }));
  writes.forEach(({ resolve }) => resolve());
  await publisher.flushed();
  expect(sent[1]?.delta.canisters).toEqual([canister(1, 2, [])]);
});

test('what was published is sent however much is published meanwhile', async () => {
  const sent: Publication[] = [];
  let isOver = false;
  let sequence = 1;
  const publisher = new Publisher(
    async () => {
      await new Promise(setImmediate);
      if (!isOver) publisher.publish((sequence += 1), delta({ canisters: [canister(2, sequence)] }));
    },
    (publication) => sent.push(publication),
  );
  publisher.publish(1, delta({ canisters: [canister(1, 1)] }));
  await publisher.sent();
  expect(sent[0]?.delta.canisters).toEqual([canister(1, 1)]);
  const last = sequence;
  await publisher.sent();
  expect(sent.at(-1)?.delta.canisters[0]?.certifiedData[0]).toBeGreaterThanOrEqual(last);
  isOver = true;
  await publisher.flushed();
  await publisher.sent();
});
