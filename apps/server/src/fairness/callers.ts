import { createHash } from 'node:crypto';
import { RecentMap } from './recent-map.ts';

/** Credentials that are remembered; those that were seen longest ago go first. */
const MOST_CREDENTIALS = 10_000;

/**
 * Who a request counts as: the user of a credential that was found valid before, else its address. It decides whose
 * turn and whose rate a request takes, before anything is looked up; it never decides what the request may do.
 */
export class Callers {
  /** User id by the hash of a bearer token or access token. */
  readonly #users = new RecentMap<string>(MOST_CREDENTIALS);

  /** The tenant whose turn and rate the request takes. */
  tenantOf(credential: string | undefined, address: string): string {
    const user = credential === undefined ? undefined : this.#userOf(credential);
    return user === undefined ? addressTenant(address) : userTenant(user);
  }

  /** Whether a credential was found valid before. */
  isKnown(credential: string): boolean {
    return this.#userOf(credential) !== undefined;
  }

  /** Remembers whose credential it is. */
  know(credential: string, userId: string): void {
    this.#users.set(hashOf(credential), userId);
  }

  /** Forgets a credential that was refused. */
  forget(credential: string): void {
    this.#users.delete(hashOf(credential));
  }

  #userOf(credential: string): string | undefined {
    return this.#users.get(hashOf(credential));
  }
}

/** A signed-in user as a tenant. */
export function userTenant(userId: string): string {
  return `user:${userId}`;
}

function hashOf(credential: string): string {
  return createHash('sha256').update(credential).digest('base64');
}

/** An address as a tenant; of IPv6 the first 64 bits, since who has one of them has all (RFC 6177). */
export function addressTenant(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return `address:${plain}`;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `address:${[...head, ...zeros, ...tail].slice(0, 4).join(':')}`;
}
