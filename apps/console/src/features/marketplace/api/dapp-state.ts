import type { Dapp } from '@cannery/contract';

/** What happens to the list of dapps. */
export type DappsEvent =
  | { readonly type: 'GET_DAPPS'; readonly dapps: readonly Dapp[] }
  | { readonly type: 'SUBMIT_DAPP'; readonly dapp: Dapp }
  | { readonly type: 'DELETE_DAPP'; readonly id: string }
  | { readonly type: 'UPDATE_DAPP'; readonly id: string; readonly changed: Partial<Dapp> };

/** The list after an event; nobody's list is changed itself. */
export function dappsAfter(list: readonly Dapp[], event: DappsEvent): Dapp[] {
  switch (event.type) {
    case 'GET_DAPPS':
      return [...event.dapps];
    case 'SUBMIT_DAPP':
      // A list that was fetched meanwhile may have it already.
      return [event.dapp, ...list.filter(({ id }) => id !== event.dapp.id)];
    case 'DELETE_DAPP':
      return list.filter(({ id }) => id !== event.id);
    case 'UPDATE_DAPP':
      return list.map((dapp) => (dapp.id === event.id ? { ...dapp, ...event.changed } : dapp));
  }
}

/** A name for people. */
export function dappName({ name, app_name: other }: Pick<Dapp, 'name' | 'app_name'>): string {
  return name || other || 'N/A';
}
