import { bytesText } from '../amount-texts.ts';

/** The largest call that the network takes over its HTTP interface, all of it counted (2 MiB, resource limits of the IC). */
const MAX_CALL_BYTES = 2 * 1024 * 1024;
/** What is in a call beside its arguments: the caller, its key, a chain of delegations, the longest name of a method. */
const ENVELOPE_BYTES = 32 * 1024;

/** Most bytes of the arguments of a call. */
export const MAX_ARGUMENT_BYTES = MAX_CALL_BYTES - ENVELOPE_BYTES;

/** Why this many bytes cannot be sent, or undefined where they can. @param what such as `This file` */
export function sizeProblem(what: string, length: number): string | undefined {
  if (length <= MAX_ARGUMENT_BYTES) return undefined;
  return `${what} has ${bytesText(length)}. A call takes 2 MiB at most, so ${bytesText(MAX_ARGUMENT_BYTES)} of arguments.`;
}
