import { createApi, type Product, signIn, startProduct } from '@cannery/dev-env';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import pg from 'pg';
import { embeddedConnection } from '../../apps/server/src/db/postgres/embedded-postgres.ts';
import { loadServerIdentity } from '../../apps/server/src/ic/agent/server-identity.ts';
import { LeanCall } from '../../packages/network/crash/lean-call.ts';
import { onCore, SERVER_CORE } from '../pinned.ts';

const AT_ONCE = 64;
const CYCLES = 2_000_000_000_000n;
const CREATE = 'provisional_create_canister_with_cycles';
const createArgument = IDL.Record({
  amount: IDL.Opt(IDL.Nat),
  settings: IDL.Opt(IDL.Record({ controllers: IDL.Opt(IDL.Vec(IDL.Principal)) })),
});
const created = IDL.Record({ canister_id: IDL.Principal });

/** A product on the server's core, with a user who owns nothing yet. */
export interface FilledProduct extends AsyncDisposable {
  readonly url: string;
  /** Bearer token of the user. */
  readonly token: string;
  /**
   * Gives the user canisters: they are real ones that the server controls, created on the network itself. Only their
   * rows are written past the server, since ten thousand bookings would take a quarter of an hour.
   */
  own(count: number): Promise<void>;
}

/** Starts the whole product; fees are on, so that the cycles of canisters change while a list is watched. */
export async function startFilled(): Promise<FilledProduct> {
  const product = await startProduct({ command: (program, args) => onCore(SERVER_CORE, program, args) });
  try {
    const token = await signIn(product.url, 'bench');
    const { id } = await createApi(product.url, token).call<{ id: string }>('GET', '/user/profile');
    return {
      url: product.url,
      token,
      own: (count) => own(product, id, count),
      [Symbol.asyncDispose]: () => product.dispose(),
    };
  } catch (error) {
    await product.dispose();
    throw error;
  }
}

async function own(product: Product, userId: string, count: number): Promise<void> {
  const ids = await createCanisters(product, count);
  const database = new pg.Client(embeddedConnection(product.dataDir));
  await database.connect();
  try {
    const controller = (await loadServerIdentity(product.dataDir)).getPrincipal().toText();
    await database.query(
      `INSERT INTO canisters (id, user_id, name, cycles, status, controllers, created_at)
       SELECT id, $2, 'service ' || (place * 7919 % 10007), $3, 'running', ARRAY[$4],
              now() - (place || ' minutes')::interval
       FROM unnest($1::text[]) WITH ORDINALITY AS made(id, place)`,
      [ids, userId, CYCLES.toString(), controller],
    );
  } finally {
    await database.end();
  }
}

async function createCanisters(product: Product, count: number): Promise<string[]> {
  const controller = (await loadServerIdentity(product.dataDir)).getPrincipal();
  const argument = new Uint8Array(
    IDL.encode([createArgument], [{ amount: [CYCLES], settings: [{ controllers: [[controller]] }] }]),
  );
  const ids: string[] = [];
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const call = new LeanCall(Principal.managementCanister(), CREATE, argument);
      const [{ canister_id }] = IDL.decode([created], await call.send(product.networkUrl)) as unknown as [
        { canister_id: Principal },
      ];
      ids.push(canister_id.toText());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}
