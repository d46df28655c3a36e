import { isFinished, type DeployInstance } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useStore } from '../../../lib/browser/store.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { instanceLog } from '../api/instances.ts';
import { logFeed } from '../log/log-feed.ts';
import { logOfText, type LogSnapshot } from '../log/log-model.ts';

/**
 * The log of a run: what its stream has brought, or what the polls have, where that is more. A service without such a
 * stream is only polled.
 */
export function useLog(run: DeployInstance): { log: LogSnapshot; isLoading: boolean } {
  const client = useQueryClient();
  const { id: instanceId, deploy_id: id } = run;
  const feed = useMemo(() => logFeed({ id: id ?? '', instanceId }), [id, instanceId]);
  const { log, isOff, isOver } = useStore(feed);
  const text = instanceLog(run);
  const polled = useMemo(() => logOfText(text), [text]);

  // A poll that relied on the stream has left the log out, and after the end of a run there is no other poll.
  const isLeftOut = isOff && run.logs === null && isFinished(run.status);
  useEffect(() => {
    if (isLeftOut)
      void client.invalidateQueries({ queryKey: queryKeys.instance(id ?? '', instanceId), exact: true });
  }, [client, id, instanceId, isLeftOut]);

  // A poll without the log tells nothing of it while the stream may still bring it.
  const isLoading = !isOff && !isOver;
  const knows = run.logs !== null || !isLoading;
  // A service that says of a failed run that it has no log is taken at its word.
  const hasNone = run.status === 'FAILED' && run.logs === '';
  return { log: hasNone || (knows && polled.count > log.count) ? polled : log, isLoading };
}
