import { type MutationKey, useMutationState, type UseQueryResult } from '@tanstack/react-query';
import { isMissing } from '../api/api-error.ts';

/**
 * What a page shows of its thing: nothing once the service does not have it any more, whatever it answered before. Whoever deletes it on
 * the page itself is led away by that, and sees it until then.
 * @param deletion the key of the call that deletes it
 */
export function useThingOfPage<Thing>(
  { data, error }: Pick<UseQueryResult<Thing>, 'data' | 'error'>,
  deletion: MutationKey,
): Thing | undefined {
  const isDeletedHere = useMutationState({
    filters: { mutationKey: deletion },
    select: ({ state }) => state.status === 'pending' || state.status === 'success',
  }).includes(true);
  return isMissing(error) && !isDeletedHere ? undefined : data;
}
