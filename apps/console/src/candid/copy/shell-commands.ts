import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { printValues } from '@cannery/candid';
import { hexText } from '../form/blob-bytes.ts';
import { type CopiedCall, isQuery } from './copied-call.ts';
import { quoteShell } from './quote.ts';

/**
 * A call as a command of icp-cli, for bash and zsh. A caller who is not anonymous is whoever icp-cli is set to.
 * Undefined when the name of the method cannot be given to a program.
 */
export function icpCommand(call: CopiedCall): string | undefined {
  const { method, values, canisterId, networkUrl, networkIsLocal, caller } = call;
  const name = quoteShell(method.name);
  const network = quoteShell(networkUrl);
  const args = quoteShell(printValues(method.args, values, Number.POSITIVE_INFINITY));
  if (name === undefined || network === undefined || args === undefined) return undefined;
  const options = [
    ...(isQuery(method) ? ['--query'] : []),
    `--network ${network} --root-key ${networkIsLocal ? 'fetch' : 'mainnet'}`,
    ...(caller === undefined ? ['--identity anonymous'] : []),
  ];
  // Behind -- a name that begins with a dash is no option.
  return `icp canister call ${options.join(' ')} -- ${canisterId} ${name} ${args}`;
}

/** Major types of CBOR (RFC 8949, 3.1), and the head of a number of 64 bits. */
const BYTES = 2;
const TEXT = 3;
const MAP = 5;
const UINT64 = 0x1b;
/** The longest time that the network lets a call wait is five minutes. */
const SECONDS = 240;

function head(major: number, size: number): number[] {
  const type = major << 5;
  if (size < 24) return [type | size];
  if (size < 0x100) return [type | 24, size];
  if (size < 0x10000) return [type | 25, size >> 8, size & 0xff];
  return [type | 26, (size >>> 24) & 0xff, (size >>> 16) & 0xff, (size >>> 8) & 0xff, size & 0xff];
}

function part(major: number, bytes: Uint8Array): string {
  return hexText(Uint8Array.from(head(major, bytes.length))) + hexText(bytes);
}

const text = (value: string): string => part(TEXT, new TextEncoder().encode(value));
const map = (size: number): string => hexText(Uint8Array.from(head(MAP, size)));

/**
 * A call as a command of curl, for bash and zsh: the anonymous message of the interface specification, whose expiry the
 * shell computes. All that others wrote is in it as hexadecimal digits. Needs xxd, which also shows the answer.
 * Undefined when the network's address cannot be given to a program.
 */
export function curlCommand({ canisterId, method, values, networkUrl }: CopiedCall): string | undefined {
  const kind = isQuery(method) ? 'query' : 'call';
  const message = [
    map(1),
    text('content'),
    map(6),
    text('request_type') + text(kind),
    text('canister_id') + part(BYTES, Principal.fromText(canisterId).toUint8Array()),
    text('method_name') + text(method.name),
    text('arg') + part(BYTES, new Uint8Array(IDL.encode(method.args, [...values]))),
    text('sender') + part(BYTES, Principal.anonymous().toUint8Array()),
    text('ingress_expiry') + hexText(Uint8Array.of(UINT64)),
  ].join('');
  const version = kind === 'query' ? 'v3' : 'v4';
  const address = quoteShell(`${networkUrl}/api/${version}/canister/${canisterId}/${kind}`);
  if (address === undefined) return undefined;
  return [
    `printf '%s%016x' ${message} $((($(date +%s) + ${SECONDS}) * 1000000000))`,
    'xxd -r -p',
    `curl --silent --show-error --header 'Content-Type: application/cbor' --data-binary @- ${address}`,
    'xxd',
  ].join(' | ');
}
