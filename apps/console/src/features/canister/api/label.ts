import { canisterEndpoints, type Canister } from '@cannery/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { change } from './mutations.ts';

/** What the service answers of a canister after one of the calls of this file, in every place that shows it. */
function keepLabels(client: QueryClient, id: string, { name, tags }: Partial<Canister>): void {
  change(client, id, { ...(name != null && { name }), ...(tags != null && { tags }) });
  void client.invalidateQueries({ queryKey: queryKeys.canisterHistory(id) });
}

/** Gives a canister another name. No action that runs on the canister is in its way. */
export function useRename(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.call(canisterEndpoints.rename, { body: { canister_id: id, name } }),
    onSuccess: (canister) => keepLabels(client, id, canister),
  });
}

/** What is to become of the tags of canisters; those that are not named stay. */
export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Adds tags to a canister, and removes others. @throws ApiError */
export async function changeTags(client: QueryClient, id: string, { add, remove }: TagChange): Promise<void> {
  const body = { canister_id: id, add_tags: [...add], remove_tags: [...remove] };
  keepLabels(client, id, await api.call(canisterEndpoints.tag, { body }));
}

/** All tags of a list of canisters, in the order of the alphabet. */
export function tagsOf(canisters: readonly Pick<Canister, 'tags'>[]): string[] {
  return [...new Set(canisters.flatMap(({ tags }) => tags))].toSorted();
}

/** The canisters that have a tag; all of them without one. */
export function withTag<Row extends Pick<Canister, 'tags'>>(
  canisters: readonly Row[],
  tag: string | undefined,
): readonly Row[] {
  return tag === undefined ? canisters : canisters.filter(({ tags }) => tags.includes(tag));
}
