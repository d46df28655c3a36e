import type { Repository, Template } from '@cannery/contract';

/** The repositories whose name holds the text, ignoring case. */
export function searchRepositories(list: readonly Repository[], text: string): readonly Repository[] {
  const wanted = text.toLowerCase();
  return wanted === '' ? list : list.filter(({ name }) => name.toLowerCase().includes(wanted));
}

export interface GitAccount {
  readonly login: string;
  readonly repositories: number;
}

/** The accounts that own the repositories, with the count of each, in order of first appearance. */
export function accountsOf(list: readonly Repository[]): GitAccount[] {
  const counts = new Map<string, number>();
  for (const { owner } of list) counts.set(owner.login, (counts.get(owner.login) ?? 0) + 1);
  return [...counts].map(([login, repositories]) => ({ login, repositories }));
}

/** The templates with those of a deploy type first. */
export function templatesFor(list: readonly Template[], deployType: string): Template[] {
  const rank = (template: Template): number => (template.deploy_type === deployType ? 0 : 1);
  return list.toSorted((a, b) => rank(a) - rank(b));
}

/** Address that git pushes to: the repository's address with the ending that git hosts use. */
export function pushAddress(repositoryAddress: string): string {
  const address = repositoryAddress.replace(/\/+$/, '');
  return address.endsWith('.git') ? address : `${address}.git`;
}
