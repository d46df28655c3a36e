import { freshRandomness } from '../random.ts';
import { BlobType } from './candid-types.ts';
import { managementMethod } from './method.ts';

const RANDOM_BYTES = 32;

export const rawRand = managementMethod<undefined>({
  name: 'raw_rand',
  result: BlobType,
  callers: { kind: 'canisters' },
  nextRound: true,
  run: () => freshRandomness(RANDOM_BYTES),
});
