import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What every line of the log says of what is being done. */
interface LogFields {
  /** The request that it began with. */
  readonly request_id?: string | undefined;
  /** The queue of the job that it is done for. */
  readonly job?: string | undefined;
  /** The run that the job is of. */
  readonly run?: string | undefined;
}

/** Who sends a request. */
export interface Client {
  readonly address: string;
  /** Id of the user, as soon as that is known. */
  user: string | undefined;
}

/** What is being done. */
interface Doing {
  readonly fields: LogFields;
  /** Who has asked for it, for the security log: no other line has that. */
  readonly client?: Client | undefined;
}

const doing = new AsyncLocalStorage<Doing>();

/** The header that names a request, here and at the network. */
export const REQUEST_ID = 'x-request-id';

/** A name of a request that others may give: short, and of characters that mean nothing anywhere. Our secrets have more characters. */
const GIVEN = /^[A-Za-z0-9][A-Za-z0-9-]{7,39}$/;

/** Characters of a random UUID that are enough: 60 random bits. A count would tell strangers how much is asked of the service. */
const MADE = 18;

/** The name of a request: what its client calls it, if that can be written anywhere, or else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && GIVEN.test(given) ? given : randomUUID().slice(0, MADE);
}

/** Does work of a request; what is logged meanwhile, and whatever it leads to, has its name. */
export function inRequest<T>(requestId: string, work: () => T, client?: Client): T {
  return doing.run({ fields: { request_id: requestId }, client }, work);
}

/**
 * Does a job of a queue.
 * @param job.requestId the request that the job was made for, if that is known
 * @param job.run the run that the job is of, if it is of one
 */
export function inJob<T>(
  job: { queue: string; requestId: string | undefined; run: string | undefined },
  work: () => T,
): T {
  return doing.run({ fields: { request_id: job.requestId, job: job.queue, run: job.run } }, work);
}

/** Does what this request or job only happens to set off, and others have asked for. */
export function outsideRequest<T>(work: () => T): T {
  return doing.exit(work);
}

/** The name of the request at hand; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return doing.getStore()?.fields.request_id;
}

/** Who sends the request at hand; undefined outside of any. */
export function currentClient(): Client | undefined {
  return doing.getStore()?.client;
}

/** Says whose request it is that is at hand. */
export function knowUser(userId: string): void {
  const client = currentClient();
  if (client !== undefined) client.user = userId;
}

/** What every line of the log says of what is being done. */
export function logFields(): LogFields {
  return doing.getStore()?.fields ?? {};
}
