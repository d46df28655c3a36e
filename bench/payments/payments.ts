import { type Api, createApi, type Product, signIn, startProduct } from '@cannery/dev-env';
import { type Section, spreadOf } from '../figures.ts';
import { useAllCores } from '../pinned.ts';

const CLIENTS = 64;
/** Time of one sample, in seconds; each client pays as soon as its last payment is answered. */
const SAMPLE_S = 5;
const ROUNDS = 5;
/** T; a minimum, so that no balance ends before the measurement. */
const AMOUNT_T = 0.01;

/** Who pays for which canister. */
interface Payer {
  readonly api: Api;
  readonly canisterId: string;
}

/** Top-ups of a canister, from the request to the answer that the cycles are there and booked. */
export const payments: Section = {
  title: 'Payments',
  async run(report) {
    // What is paid passes server, network and database: the product inherits the cores of this process.
    useAllCores();
    const product = await startProduct({
      // All sign in and pay at once, and one account has 64 canisters.
      env: { RATE_LIMIT: '100000', SIGN_IN_LIMIT: '1000', OPENING_BALANCE_T: '1000' },
    });
    try {
      const apis = await each(CLIENTS, (index) => signedIn(product, `payer-${index}`));
      const one = await signedIn(product, 'payer');
      const ofMany = await Promise.all(apis.map((api) => payer(api)));
      const ofOne = await each(CLIENTS, () => payer(one));
      for (const [whose, payers, goal] of [
        [`${CLIENTS} accounts`, ofMany, 100],
        ['one account', ofOne, 60],
      ] as const) {
        const samples = await sampled(() => perSecond(payers));
        report({
          what: `top-ups by ${CLIENTS} clients of ${whose}`,
          unit: '/s',
          spread: spreadOf(samples),
          goal: { atLeast: goal },
        });
      }
    } finally {
      await product.dispose();
    }
  },
};

async function signedIn(product: Product, name: string): Promise<Api> {
  return createApi(product.url, await signIn(product.url, name));
}

async function payer(api: Api): Promise<Payer> {
  const answer = await api.call<{ data: { canister_id: string } }>('POST', '/canister/create', {});
  return { api, canisterId: answer.data.canister_id };
}

/** The first one is not counted. */
async function sampled(measure: () => Promise<number>): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) samples.push(await measure());
  return samples.slice(1);
}

async function perSecond(payers: readonly Payer[]): Promise<number> {
  const start = performance.now();
  const counts = await Promise.all(
    payers.map(async ({ api, canisterId }) => {
      let count = 0;
      while (performance.now() - start < SAMPLE_S * 1000) {
        await api.call('POST', '/canister/topup', { canister_id: canisterId, amount: AMOUNT_T });
        count += 1;
      }
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000);
}

async function each<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}
