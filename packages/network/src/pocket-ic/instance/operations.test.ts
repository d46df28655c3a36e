import { expect, test } from 'vitest';
import { Operations } from './operations.ts';

test('what takes longer than a client waits is found later, with what it came to', async () => {
  const operations = new Operations<string>(20);
  expect(await operations.run(async () => 'soon', {})).toEqual({ now: 'soon' });
  const slow = Promise.withResolvers<string>();
  const answer = await operations.run(() => slow.promise, {});
  if (!('later' in answer)) throw new Error('it was waited for');
  expect(await operations.find(answer.later)).toEqual({});
  slow.resolve('late');
  await expect.poll(() => operations.find(answer.later)).toEqual({ result: 'late' });
  expect(await operations.find({ ...answer.later, label: 'another' })).toBeUndefined();
  expect(operations.drop({ ...answer.later, label: 'another' })).toBe(false);
  expect(operations.drop(answer.later)).toBe(true);
  expect(await operations.find(answer.later)).toBeUndefined();
});

test('one is carried out after the other, also when one fails, but for what goes on beside', async () => {
  const operations = new Operations<string>(1_000);
  const first = Promise.withResolvers<string>();
  const order: string[] = [];
  const note = (name: string) => async (): Promise<string> => {
    order.push(name);
    return name;
  };
  const failing = operations.run(() => first.promise, {});
  const second = operations.run(note('second'), {});
  await operations.run(note('beside'), { isBeside: true });
  first.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  await second;
  expect(order).toEqual(['beside', 'second']);
});

test('a failure is told to the client that comes back', async () => {
  const operations = new Operations<string>(5);
  const failure = Promise.withResolvers<string>();
  const answer = await operations.run(() => failure.promise, {});
  failure.reject(new Error('too bad'));
  await new Promise(setImmediate);
  if (!('later' in answer)) throw new Error('it was waited for');
  await expect(operations.find(answer.later)).rejects.toThrow('too bad');
});

test('what may have no result is waited for, since nobody could come back for nothing', async () => {
  const operations = new Operations<string>(1);
  const late = async (): Promise<string> => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return 'done';
  };
  expect(await operations.run(late, { isWaitedFor: true })).toEqual({ now: 'done' });
});
