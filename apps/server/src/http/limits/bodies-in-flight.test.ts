import { expect, test } from 'vitest';
import { BodiesInFlight } from './bodies-in-flight.ts';

const pool = () => new BodiesInFlight({ bytes: 100, bytesOfSender: 60, bytesOfPlace: 50, bodiesOfSender: 3 });
const refusal = { code: 'rate_limited', retryAfterSeconds: 5 };

test('bytes are bounded for all, for a sender and for a place, and free again afterwards', () => {
  const bodies = pool();
  const one = bodies.enter({ sender: 'a', place: 'x' });
  one.add(50);
  expect(() => one.add(1)).toThrow(expect.objectContaining(refusal));
  const two = bodies.enter({ sender: 'a', place: 'y' });
  two.add(10);
  expect(() => two.add(1)).toThrow(expect.objectContaining(refusal));
  const three = bodies.enter({ sender: 'b', place: 'y' });
  three.add(40);
  expect(() => bodies.enter({ sender: 'c', place: 'z' }).add(1)).toThrow(expect.objectContaining(refusal));
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  bodies.enter({ sender: 'c', place: 'z' }).add(50);
  expect(() => bodies.enter({ sender: 'c', place: 'w' }).add(1)).toThrow(expect.objectContaining(refusal));
});

test('bodies of a sender are bounded, also those of no byte', () => {
  const bodies = pool();
  const under = [1, 2, 3].map((place) => bodies.enter({ sender: 'a', place: String(place) }));
  expect(() => bodies.enter({ sender: 'a', place: '4' })).toThrow(expect.objectContaining(refusal));
  bodies.enter({ sender: 'b', place: '1' });
  under[0]?.[Symbol.dispose]();
  bodies.enter({ sender: 'a', place: '4' });
});
