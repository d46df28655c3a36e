import { type DeployType, PAGE_TICKET } from '@cannery/contract';

/** What a page for people shows: an account, or a repository of it, at a branch. */
export interface PageName {
  readonly owner: string;
  readonly repo: string | undefined;
  readonly branch: string | undefined;
}

/** Decoded path of a page; a ticket is for one of them. */
export function pagePath({ owner, repo, branch }: PageName): string {
  return [
    owner,
    ...(repo === undefined ? [] : [repo]),
    ...(branch === undefined ? [] : ['tree', branch]),
  ].join('/');
}

/** The address of a page with the ticket that opens it. */
export function pageAddress(name: PageName, deployType: DeployType | undefined, ticket: string): string {
  const path = pagePath(name).split('/').map(encodeURIComponent).join('/');
  const query = new URLSearchParams(deployType === undefined ? {} : { type: deployType });
  query.set(PAGE_TICKET, ticket);
  return `/${path}?${query}`;
}
