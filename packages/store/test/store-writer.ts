/**
 * The victim of the crash tests. Arguments: directory, number of commits (0: until killed), and optionally the step
 * of a checkpoint at which to die, or `unsynced` to die before any sync to disk. Writes the sequence number of each commit to standard output once it is made.
 */
import { writeSync } from 'node:fs';
import { DurableStore } from '../src/durable-store.ts';
import { batchOf } from './store-workload.ts';

const [directory = '', commits = '0', deadlyStep = ''] = process.argv.slice(2);
const UNSYNCED = 'unsynced';

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

const store = DurableStore.open(directory, {
  checkpointBytes: deadlyStep === '' || deadlyStep === UNSYNCED ? 300_000 : Number.MAX_SAFE_INTEGER,
  ...(deadlyStep !== '' && {
    onCheckpointStep: (step) => {
      if (step === deadlyStep) die();
    },
  }),
});
const first = store.sequence;
for (let made = 0; commits === '0' || made < Number(commits); made++) {
  const sequence = store.commit(batchOf(first + made + 1));
  writeSync(1, `${sequence}\n`);
  // Lets the sync to disk run beside the commits, as it does in the engine.
  if (made % 16 === 0 && deadlyStep !== UNSYNCED) await store.durable(sequence);
}
if (deadlyStep !== '' && deadlyStep !== UNSYNCED) await store.checkpoint();
die();
