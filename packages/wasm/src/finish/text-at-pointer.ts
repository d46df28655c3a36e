import type { HostFunctions } from '../instance/instance-exports.ts';
import { WasmInstance } from '../instance/instance.ts';
import { InvalidModuleError } from '../module/reader.ts';
import type { PreparedModule } from '../rewrite/prepare.ts';

/** Instructions that the function may take; the interface of a ledger takes 20 million. */
const INSTRUCTIONS = 5_000_000_000n;
/** Pages of 64 KiB: 256 MiB. A module begins with what its static data takes. */
const MOST_PAGES = 4_096;
/** Bytes of the text; the network takes no more as metadata. */
const MOST_BYTES = 1024 * 1024;
const CHUNK = 4_096;

/** Functions of the system that only say that there is none: an interface depends on nothing. */
function noSystem({ imports }: PreparedModule): HostFunctions {
  const refuse = (name: string) => (): never => {
    throw new InvalidModuleError(`it calls ic0.${name}`);
  };
  return Object.fromEntries(imports.map(({ name }) => [name, refuse(name)]));
}

/**
 * The text, ended by a zero byte, at the address that an exported function returns. It runs metered, as on the network, and without
 * a system to call.
 * @throws InvalidModuleError or WasmTrap when the function gives none
 */
export function textAtPointer(prepared: PreparedModule, exportName: string): string {
  if (prepared.minPages > MOST_PAGES) throw new InvalidModuleError('its memory begins too large');
  const instance = WasmInstance.create(prepared, { imports: noSystem(prepared), maxPages: MOST_PAGES });
  instance.begin(INSTRUCTIONS);
  try {
    const pointer = instance.result(exportName);
    if (typeof pointer !== 'number' && typeof pointer !== 'bigint')
      throw new InvalidModuleError('it returns no address');
    return textAt(instance, pointer);
  } finally {
    instance.rollback();
  }
}

function textAt(instance: WasmInstance, pointer: number | bigint): string {
  const start = typeof pointer === 'bigint' ? Number(BigInt.asUintN(64, pointer)) : pointer >>> 0;
  const pieces: Uint8Array[] = [];
  for (let at = start; at - start < MOST_BYTES; at += CHUNK) {
    const piece = instance.read(at, Math.min(CHUNK, instance.memoryBytes() - at));
    const end = piece.indexOf(0);
    pieces.push(end < 0 ? piece : piece.subarray(0, end));
    if (end >= 0) return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
    if (piece.length < CHUNK) break;
  }
  throw new InvalidModuleError('its text has no end');
}
