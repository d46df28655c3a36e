import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

interface Wabt {
  parseWat(
    name: string,
    source: string,
    features: Record<string, boolean>,
  ): { toBinary(options: object): { buffer: Uint8Array }; destroy(): void };
}

let wabt: Promise<Wabt> | undefined;

/** WebAssembly text to a module. */
export async function assemble(source: string): Promise<Uint8Array> {
  wabt ??= (require('wabt') as () => Promise<Wabt>)();
  const module = (await wabt).parseWat('test.wat', source, { bulk_memory: true, memory64: true });
  try {
    return module.toBinary({}).buffer.slice();
  } finally {
    module.destroy();
  }
}
