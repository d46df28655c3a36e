import { freshRandomness } from '../../random.ts';
import { BlobType } from '../candid/candid-types.ts';
import { managementMethod } from '../method/method.ts';

const RANDOM_BYTES = 32;

export const rawRand = managementMethod<undefined>({
  name: 'raw_rand',
  result: BlobType,
  callers: { kind: 'canisters' },
  nextRound: true,
  run: () => freshRandomness(RANDOM_BYTES),
});
