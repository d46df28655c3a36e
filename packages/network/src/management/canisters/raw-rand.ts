import { freshRandomness } from '../../random.ts';
import { managementMethod } from '../method/method.ts';

const RANDOM_BYTES = 32;

export const rawRand = managementMethod({
  name: 'raw_rand',
  callers: { kind: 'canisters' },
  nextRound: true,
  run: () => freshRandomness(RANDOM_BYTES),
});
