import { onTestFinished } from 'vitest';
import type { HostFunctions, WasmInstanceOptions } from '../src/instance/instance-exports.ts';
import { WasmInstance } from '../src/instance/instance.ts';
import { prepareModule } from '../src/rewrite/prepare.ts';
import { WasmTrap } from '../src/instance/trap.ts';
import { wat } from './text-format.ts';

export { wat };

/** An instance of a module in text format, in the middle of its first message; what is open at the end is undone. */
export function running(
  source: string,
  options: Partial<WasmInstanceOptions> & {
    readonly imports?: HostFunctions;
    readonly instructions?: bigint;
  } = {},
): WasmInstance {
  const instance = WasmInstance.create(prepareModule(wat(source)), { imports: {}, ...options });
  onTestFinished(() => {
    if (instance.running) instance.rollback();
  });
  instance.begin(options.instructions ?? 1_000_000n);
  return instance;
}

/** Runs one export as its own message and keeps the result. */
export function run(instance: WasmInstance, name: string, instructions = 1_000_000n): bigint {
  instance.begin(instructions);
  instance.call(name);
  const used = instance.instructionsUsed();
  instance.commit();
  return used;
}

export function u32At(instance: WasmInstance, address: number): number {
  const bytes = instance.read(address, 4);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

/** The kind of trap an action ends with; other errors pass. */
export function trapKind(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (error instanceof WasmTrap) return error.kind;
    throw error;
  }
  return 'no trap';
}
