import { Principal } from '@icp-sdk/core/principal';

/** The canister every script is about on the suite's system subnet, and on its application subnet. */
const SYSTEM_CANISTER = 'rwlgt-iiaaa-aaaaa-aaaaa-cai';
const APPLICATION_CANISTER = '22ajg-aqaaa-aaaap-adukq-cai';
/** Candid of `record { canister_id = rwlgt-iiaaa-aaaaa-aaaaa-cai }`, as `drun-wrapper.sh` spells it. */
const PRINCIPAL_ARGUMENT = '0x4449444c016c01b3c4b1f204680100010a00000000000000000101';
const ID_BYTES = 10;

type InstallCommand = 'install' | 'reinstall' | 'upgrade';

/** One step of a script; `arg` is absent where it is not spelled correctly, which ends the run at this step. */
export type DrunCommand =
  | {
      readonly kind: InstallCommand;
      readonly canister: string;
      /** What the script names: a source file of the suite. */
      readonly source: string;
      readonly arg: Uint8Array | undefined;
    }
  | {
      readonly kind: 'ingress' | 'query';
      readonly canister: string;
      readonly method: string;
      readonly arg: Uint8Array | undefined;
    };

/** The script is not one `test-runner` can read; it prints the message and runs nothing. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

/** The ID of the canister every script is about. */
function canisterOfSubnet(application: boolean): string {
  return application ? APPLICATION_CANISTER : SYSTEM_CANISTER;
}

/** The script in the comments of a Motoko file: `//CALL ingress|query <method> <argument>` and `//CALL upgrade`. */
export function scriptOfSource(source: string, file: string): string {
  const lines = [`install ${SYSTEM_CANISTER} ${file} 0x`];
  for (const line of source.split('\n')) {
    const call = /^\/\/CALL (ingress|query) (.*)/.exec(line);
    if (call) lines.push(`${call[1]} ${SYSTEM_CANISTER} ${call[2]}`);
    if (line.startsWith('//CALL upgrade')) lines.push(`upgrade ${SYSTEM_CANISTER} ${file} 0x`);
  }
  return lines.join('\n');
}

/** The script of a `.drun` file with its placeholders filled in. */
export function scriptOfFile(text: string, application: boolean): string {
  return text.replaceAll('$ID', canisterOfSubnet(application)).replaceAll('$PRINCIPAL', PRINCIPAL_ARGUMENT);
}

/** Reads a script as `test-runner` does; throws `ScriptError`. */
export function parseScript(text: string): readonly DrunCommand[] {
  const commands: DrunCommand[] = [];
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    const [kind = ''] = words;
    if (kind === '' || kind.startsWith('#') || kind === 'create') continue;
    commands.push(parseCommand(kind, words));
  }
  return commands;
}

function parseCommand(kind: string, words: readonly string[]): DrunCommand {
  const [, canister = '', target = '', argument = ''] = words;
  const arg = parseArgument(argument);
  switch (kind) {
    case 'install':
    case 'reinstall':
    case 'upgrade':
      requireWords(kind, words);
      return { kind, canister, source: target, arg };
    case 'ingress':
    case 'query':
      requireWords(kind, words);
      return { kind, canister, method: target, arg };
    default:
      throw new ScriptError(`Unknown command: ${kind}`);
  }
}

function requireWords(kind: string, words: readonly string[]): void {
  if (words.length !== 4) throw new ScriptError(`${kind} command requires 3 arguments`);
}

/** An argument in hexadecimal (`0x..`) or in quotes with `\xNN`, `\"` and `\\`; undefined when it is neither. */
export function parseArgument(text: string): Uint8Array | undefined {
  const hex = /^0x((?:[0-9a-fA-F]{2})*)$/.exec(text);
  if (hex) return new Uint8Array(Buffer.from(hex[1] ?? '', 'hex'));
  const quoted = /^"((?:\\x[0-9a-fA-F]{2}|\\b[01]{8}|\\["\\]|[^"\\])*)"$/.exec(text);
  if (!quoted) return undefined;
  const bytes: number[] = [];
  for (const [part, hexDigits, bits] of (quoted[1] ?? '').matchAll(
    /\\x([0-9a-fA-F]{2})|\\b([01]{8})|\\?[^]/g,
  )) {
    if (hexDigits !== undefined) bytes.push(Number.parseInt(hexDigits, 16));
    else if (bits !== undefined) bytes.push(Number.parseInt(bits, 2));
    else bytes.push(part.charCodeAt(part.length - 1));
  }
  return Uint8Array.from(bytes);
}

/** The canister a `stop_canister` or `start_canister` command is about: the last ten bytes of its argument. */
export function lastPrincipal(arg: Uint8Array): Principal {
  return Principal.fromUint8Array(arg.slice(-ID_BYTES));
}
