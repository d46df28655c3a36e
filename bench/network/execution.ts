import { compileMotoko } from '../../packages/network/test/compile-motoko.ts';
import { COUNTER_SOURCE } from '../../packages/network/test/canisters/counter.ts';
import { TestClient } from '../../packages/replica/test/engine-client.ts';
import { wat } from '../../packages/wasm/test/wasm.ts';
import { cpuMicros, type Figure, type Section, spreadOf } from '../figures.ts';
import { largeMotokoSource } from './large-motoko.ts';
import { LoadedCanister } from './loaded-canister.ts';

const UPDATE_GOAL = { atMost: 15 };
const QUERY_GOAL = { atMost: 10 };
const TRAP_GOAL = { atMost: 100 };
const INSTALL_GOAL = { atMost: 400 };
const HEAPS_MIB = [64, 512, 1_024];

/** Each message changes five pages, as a small Motoko message does, in a heap whose every page is in use. */
function fivePages(heapMib: number): Uint8Array {
  const pages = heapMib * 16;
  const stores = Array.from({ length: 5 }, (_, i) => {
    const address = Math.floor((pages * i) / 5) * 65_536 + 8;
    return `(i64.store (i32.const ${address}) (i64.add (i64.load (i32.const ${address})) (i64.const 1)))`;
  }).join('\n');
  return wat(`(module
    (import "ic0" "msg_reply" (func $reply))
    (import "ic0" "trap" (func $trap (param i32 i32)))
    (memory ${pages})
    (func (export "canister_init") (local $at i32)
      (loop $next
        (i32.store (local.get $at) (i32.const -1))
        (local.set $at (i32.add (local.get $at) (i32.const 4096)))
        (br_if $next (i32.lt_u (local.get $at) (i32.const ${pages * 65_536 - 4_096})))))
    (func $touch ${stores})
    (func (export "canister_update inc") (call $touch) (call $reply))
    (func (export "canister_update trap") (call $touch) (call $trap (i32.const 0) (i32.const 0)))
    (func (export "canister_query get") (call $touch) (call $reply)))`);
}

/** What one message costs without HTTP, scheduler and store, and what an installation costs. */
export const execution: Section = {
  title: 'Messages inside the process',
  async run(report) {
    const module = compileMotoko(COUNTER_SOURCE);
    {
      using motoko = await LoadedCanister.install(module);
      report(cpu('Motoko counter: update', UPDATE_GOAL, () => motoko.update('inc'), 3_000));
      report(cpu('Motoko counter: query', QUERY_GOAL, () => motoko.query('get'), 3_000));
    }
    for (const mib of HEAPS_MIB) {
      using canister = await LoadedCanister.install(fivePages(mib));
      const heap = `${mib} MiB heap, 5 pages`;
      report(cpu(`${heap}: update`, UPDATE_GOAL, () => canister.update('inc'), 3_000));
      report(cpu(`${heap}: query`, QUERY_GOAL, () => canister.query('get'), 3_000));
      report(cpu(`${heap}: trap and rollback`, TRAP_GOAL, () => canister.trap('trap'), 1_000));
    }
    report(await coldInstall());
  },
};

function cpu(what: string, goal: Figure['goal'], action: () => void, count: number): Figure {
  return { what, unit: 'us CPU', spread: cpuMicros(action, count), goal };
}

/** From the call to the certified state, each time a module the network has never seen. */
async function coldInstall(): Promise<Figure> {
  const module = compileMotoko(largeMotokoSource());
  await using client = await TestClient.start();
  const samples: number[] = [];
  for (let round = 0; round < 8; round++) {
    const id = await client.create();
    const fresh = withCustomSection(module, round);
    const start = performance.now();
    await client.install(id, fresh);
    samples.push(performance.now() - start);
  }
  const size = `${(module.length / 1024 ** 2).toFixed(2)} MiB`;
  return {
    what: `install a Motoko module of ${size}, cold`,
    unit: 'ms',
    spread: spreadOf(samples.slice(1)),
    goal: INSTALL_GOAL,
  };
}

/** The same code under another hash, so that nothing known of it helps. */
function withCustomSection(module: Uint8Array, round: number): Uint8Array {
  const name = new TextEncoder().encode(`round${round}`);
  return Uint8Array.from([...module, 0, name.length + 1, name.length, ...name]);
}
