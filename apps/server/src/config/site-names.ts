import { StartError } from '../errors.ts';
import type { Env } from './env.ts';

type SiteNameSettings = Pick<Env, 'SITE_NAMES' | 'ROLE' | 'IC_URL' | 'DATABASE_URL'>;

/**
 * Whether sites have names: with the embedded network unless the operator says otherwise. A network that is a process of another role
 * reads them from the database, and only the operator knows that it does.
 * @throws StartError where nobody would tell the network
 */
export function hasSiteNames(
  { SITE_NAMES, ROLE, IC_URL, DATABASE_URL }: SiteNameSettings,
  isMainnet: boolean,
): boolean {
  const isAlone = ROLE === 'all';
  if (SITE_NAMES !== 'on') return SITE_NAMES === undefined && isAlone && IC_URL === undefined;
  // Of a database that only this process has, another one reads nothing.
  if (isMainnet || (isAlone && IC_URL !== undefined && DATABASE_URL === undefined)) {
    throw new StartError(
      `SITE_NAMES is on, but the network at ${IC_URL ?? 'IC_URL'} takes no names of sites. Leave SITE_NAMES out, or use the role network.`,
    );
  }
  if (ROLE === 'network' && DATABASE_URL === undefined) {
    throw new StartError(
      'SITE_NAMES is on, and the names are in the database. Give the role network the DATABASE_URL of the other roles.',
    );
  }
  return true;
}
