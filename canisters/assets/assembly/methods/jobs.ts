import { endMessage } from './message-end';
import * as ic0 from '../base/ic0';
import { addressOf, Bytes, utf8 } from '../base/bytes';
import { resumeHash, suspendHash } from '../base/sha256';
import { self, trap } from '../base/system';

/**
 * A message that used this many instructions goes on in another one. Mainnet ends a message at 40 billion
 * (`MAX_INSTRUCTIONS_PER_MESSAGE` of `rs/config/src/subnet_config.rs` in dfinity/ic); networks for developers are
 * often set to less, and a self-call is cheap.
 */
const ENOUGH: i64 = 4_000_000_000;
/** With this much used, the last part of a job gets its own message. */
const ENOUGH_TO_FINISH: i64 = 1_000_000_000;
const THIS_MESSAGE: i32 = 0;
/** A method that the canister does not have: the rejection is the next message. */
const NO_METHOD = utf8('next_part_of_a_job');

/** Work that may take more instructions than a message has. */
export abstract class Job {
  /** A hash that is under way between two messages. */
  hash: Bytes = [];
  /** Whether it only waits for a message to finish in. */
  finishing: bool = false;

  /** Does the next part, of at most a chunk; whether all is done. May be called again when it is. */
  abstract step(): bool;

  /** Makes the result visible, all at once, and replies. */
  abstract finish(): void;

  /** Gives back what the job holds outside the collected heap. */
  abstract abandon(): void;
}

const waiting: Map<i32, Job> = new Map();
let nextTicket: i32 = 0;

/** Does a job in this message and as many more as it takes. */
export function run(job: Job): void {
  while (!job.step()) {
    if (ic0.performance_counter(THIS_MESSAGE) > ENOUGH) {
      suspend(job);
      return;
    }
  }
  if (ic0.performance_counter(THIS_MESSAGE) > ENOUGH_TO_FINISH && !job.finishing) {
    job.finishing = true;
    suspend(job);
  } else {
    job.finish();
  }
}

function suspend(job: Job): void {
  const ticket = nextTicket++;
  job.hash = suspendHash();
  waiting.set(ticket, job);
  const callee = self();
  const next = changetype<u32>(goOn.index);
  ic0.call_new(addressOf(callee), callee.length, addressOf(NO_METHOD), NO_METHOD.length, next, ticket, next, ticket);
  ic0.call_on_cleanup(changetype<u32>(giveUp.index), ticket);
  if (ic0.call_perform() !== 0) trap('the canister cannot call itself to go on: too few cycles or too many calls');
}

function goOn(ticket: i32): void {
  if (!waiting.has(ticket)) trap('the canister was upgraded while it worked on this');
  const job = waiting.get(ticket);
  waiting.delete(ticket);
  resumeHash(job.hash);
  run(job);
  endMessage();
}

/** After a part that failed: nothing of it was kept, and there will be no other. */
function giveUp(ticket: i32): void {
  if (!waiting.has(ticket)) return;
  waiting.get(ticket).abandon();
  waiting.delete(ticket);
}
