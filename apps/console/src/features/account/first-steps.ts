import { firstStepEndpoints, type FirstSteps, firstStepNames } from '@cannery/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../lib/api/api.ts';
import { answeredCanister } from '../../lib/browser/answered-canister.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

/** What of the first steps the user has done, as the service has recorded it; a service may not have this call. */
const firstStepsQuery = queryOptions({
  queryKey: queryKeys.firstSteps,
  queryFn: ({ signal }) => api.call(firstStepEndpoints.read, { signal }),
  retry: false,
});

/** Whether there is something of the list to be shown: not once all is done, nor when it was put away. */
export function isListed(steps: FirstSteps | undefined): steps is FirstSteps {
  if (steps === undefined || steps.dismissed) return false;
  return firstStepNames.some((name) => steps.done.every(({ step }) => step !== name));
}

/** Tells the service which canister has answered a call that it did not see, as long as that is news. */
function useTellAnswered(steps: FirstSteps | undefined): void {
  const client = useQueryClient();
  const isNews = isListed(steps) && steps.done.every(({ step }) => step !== 'call');
  useEffect(() => {
    if (!isNews) return;
    const tell = async (): Promise<void> => {
      const id = answeredCanister.take();
      if (id === undefined) return;
      try {
        const body = { canister_id: id };
        client.setQueryData(queryKeys.firstSteps, await api.call(firstStepEndpoints.called, { body }));
      } catch {
        // It was a canister of somebody else, or the next call tells it.
      }
    };
    void tell();
    return answeredCanister.watch(() => void tell());
  }, [isNews, client]);
}

/** The first steps, and how the list of them is put away. */
export function useFirstSteps() {
  const client = useQueryClient();
  const query = useQuery(firstStepsQuery);
  useTellAnswered(query.data);
  const { mutate: dismiss, isPending: isDismissing } = useMutation({
    mutationFn: () => api.call(firstStepEndpoints.dismiss, {}),
    onSuccess: (steps) => client.setQueryData(queryKeys.firstSteps, steps),
  });
  return { query, dismiss, isDismissing };
}
