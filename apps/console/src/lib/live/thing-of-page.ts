import {
  type MutationKey,
  type QueryKey,
  useMutationState,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { paths } from '../../config/paths.ts';
import { isMissing } from '../api/api-error.ts';

/**
 * Whether this page takes a thing away, or has done so.
 * @param call the key of the calls that do
 * @param isOf whether a call with these variables is about the thing, where the key does not say it
 */
export function useIsTakenAway(
  call: MutationKey,
  isOf: (variables: unknown) => boolean = () => true,
): boolean {
  return useMutationState({
    filters: { mutationKey: call },
    select: ({ state: { status, variables } }) =>
      (status === 'pending' || status === 'success') && isOf(variables),
  }).includes(true);
}

/**
 * What a page shows of its thing: nothing once the service does not have it any more, whatever it answered before. Whoever deletes it on
 * the page itself is led away by that, and sees it until then.
 * @param deletion the key of the call that deletes it
 */
export function useThingOfPage<Thing>(
  { data, error }: Pick<UseQueryResult<Thing>, 'data' | 'error'>,
  deletion: MutationKey,
): Thing | undefined {
  const isDeletedHere = useIsTakenAway(deletion);
  return isMissing(error) && !isDeletedHere ? undefined : data;
}

/** Leaves the page of a thing that was deleted, whose settings have gone with it, changed or not, and forgets what was known of it. */
export function useLeaveDeleted(): (
  queryKey: QueryKey,
  to: typeof paths.canisters | typeof paths.marketplace,
) => Promise<void> {
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (queryKey, to) => {
    await navigate({ to, ignoreBlocker: true });
    // Not while its page is there, which would ask for it again, as it does for whoever has gone back at once.
    void client.resetQueries({ queryKey });
  };
}
