// Makes the module that a compiler has written ready to be installed: without names and debugging information, and with its Candid
// interface as metadata. It runs in the sandbox of the build that has made the module, on files of that build alone.
//
//   node main.ts MODULE FINISHED INTERFACE
//
// MODULE     what the compiler has written
// FINISHED   where the result goes
// INTERFACE  the interface; where there is no such file, and the module tells it, it is written there
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { shrinkModule, withCustomSection } from '../module/custom-sections.ts';
import { InvalidModuleError } from '../module/reader.ts';
import { WasmTrap } from '../instance/trap.ts';
import { prepareModule } from '../rewrite/prepare.ts';
import { textAtPointer } from './text-at-pointer.ts';

/** Where modules keep their interface. */
const SERVICE = 'icp:public candid:service';
const PRIVATE = 'icp:private candid:service';
/** What the macro `export_candid!` of ic-cdk exports. */
const POINTER = 'get_candid_pointer';

/** A module as it is installed, and the interface that it has told. */
interface Finished {
  readonly module: Uint8Array;
  readonly told: string | null;
}

/** What the module itself says of its interface; null where it does not. */
function toldBy(module: Uint8Array): string | null {
  const prepared = prepareModule(module);
  const own = prepared.metadata.find(({ name }) => name === 'candid:service');
  if (own !== undefined) return Buffer.from(own.content).toString('utf8');
  if (!prepared.exportedFunctions.includes(POINTER)) return null;
  try {
    return textAtPointer(prepared, POINTER);
  } catch (error) {
    if (!(error instanceof WasmTrap || error instanceof InvalidModuleError || error instanceof TypeError))
      throw error;
    process.stdout.write(`${POINTER} gives no interface: ${error.message}\n`);
    return null;
  }
}

function finish(module: Uint8Array, given: Uint8Array | null): Finished {
  const shrunk = shrinkModule(module);
  const told = given === null ? toldBy(shrunk) : null;
  const text = given ?? (told === null ? null : new TextEncoder().encode(told));
  if (text === null) return { module: shrunk, told };
  const bare = shrinkModule(shrunk, { without: [SERVICE, PRIVATE] });
  return { module: withCustomSection(bare, SERVICE, text), told };
}

const [input = '', output = '', interfaceFile = ''] = process.argv.slice(2);
try {
  const given = existsSync(interfaceFile) ? readFileSync(interfaceFile) : null;
  const { module, told } = finish(readFileSync(input), given);
  writeFileSync(output, module);
  if (told !== null) writeFileSync(interfaceFile, told);
} catch (error) {
  if (!(error instanceof InvalidModuleError)) throw error;
  process.stdout.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}
