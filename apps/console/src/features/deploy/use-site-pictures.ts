import { type Deploy, type DeployInstance, deployTimers } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deployQuery } from './queries.ts';

/** How long a new picture is waited for after a run, in milliseconds; a server that takes none never sends one. */
const PATIENCE_MS = 20_000;

function isRecent(run: DeployInstance | null): boolean {
  return run?.status === 'COMPLETED' && Date.now() - Date.parse(run.created_at ?? '') < RECENT_MS;
}

const picturesOf = (deploy: Deploy | undefined): string =>
  (deploy?.parts ?? []).map(({ picture }) => picture ?? '').join(' ');

/** A run that ended this long ago, in milliseconds, may still get its pictures. */
const RECENT_MS = 60_000;

function mayHaveSite({ type, parts }: Deploy): boolean {
  return type === 'STATIC_SITE' || parts.some(({ kind }) => kind === 'site');
}

/**
 * Pictures of websites are taken when a run is over already: fetches the deploy again for a while, until it has another
 * picture. A page that is opened shortly after a run waits as well.
 * @returns begins to wait, after a run
 */
export function useSitePictures(deploy: Deploy): () => void {
  const begin = (): { former: string; until: number } | undefined =>
    mayHaveSite(deploy) ? { former: picturesOf(deploy), until: Date.now() + PATIENCE_MS } : undefined;
  const [wait, setWait] = useState(() => (isRecent(deploy.deployInstance) ? begin() : undefined));
  useQuery({
    ...deployQuery(deploy.id),
    refetchInterval: ({ state }) =>
      wait !== undefined && Date.now() < wait.until && picturesOf(state.data) === wait.former
        ? deployTimers.pollInstance
        : false,
  });
  return () => setWait(begin());
}
