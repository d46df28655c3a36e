import { PAGE_TICKET, repositoryEndpoints } from '@cannery/contract';
import { api } from '../lib/api/api.ts';
import { innerPath } from '../lib/session/asked-path.ts';
import { repositoryPageName } from './repository-page-name.ts';

/**
 * Opens a page of the user's own repositories, which the server answers at an address like a file. A browser that opens
 * an address sends no bearer token, so the console fetches a ticket and goes there with it.
 * @returns false when the address is no such page; true when the browser is on its way
 */
export async function openRepositoryPage(location: Location): Promise<boolean> {
  const name = repositoryPageName(location);
  // With a ticket in it the service has already refused the address.
  if (name === undefined || new URLSearchParams(location.search).has(PAGE_TICKET)) return false;
  try {
    const { address } = await api.call(repositoryEndpoints.openPage, { body: name });
    const path = innerPath(address, location.origin);
    if (path === undefined) return false;
    location.replace(path);
    return true;
  } catch {
    return false;
  }
}
