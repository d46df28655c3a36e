import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { paths } from '../../../config/paths.ts';

/** The address of a run's page, whole. */
export function runAddress(id: string, runId: string): string {
  const path = paths.deployRun
    .replace('$id', () => encodeURIComponent(id))
    .replace('$runId', () => encodeURIComponent(runId));
  return `${location.origin}${path}`;
}

/** Leads to the log of a run of a deploy; the page of the deploy opens it and brings it in view. */
export function useShowRun(id: string): (runId: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (runId: string) => void navigate({ to: paths.deployRun, params: { id, runId }, resetScroll: false }),
    [navigate, id],
  );
}
