import loadWabt from 'wabt';

const wabt = await loadWabt();
const FEATURES = { memory64: true, tail_call: true, multi_memory: true, exceptions: true, threads: true };

/** Compiles a module in text format. wabt does not check it, so invalid modules can be made on purpose. */
export function wat(source: string): Uint8Array {
  const module = wabt.parseWat('module.wat', source, FEATURES);
  try {
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}
