import loadWabt from 'wabt';

const wabt = await loadWabt();

/** Compiles a module in text format. */
export function wat(source: string): Uint8Array {
  const module = wabt.parseWat('bench.wat', source);
  try {
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}
