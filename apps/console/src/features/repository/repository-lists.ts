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

/** The templates of a deploy type, and the others; where none is of the type, all are offered. */
export function templatesFor(
  list: readonly Template[],
  deployType: string,
): { readonly fitting: readonly Template[]; readonly others: readonly Template[] } {
  const fitting = list.filter(({ deploy_type }) => deploy_type === deployType);
  if (fitting.length === 0) return { fitting: list, others: [] };
  return { fitting, others: list.filter((template) => !fitting.includes(template)) };
}
