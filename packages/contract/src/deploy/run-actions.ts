import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { entityOf, idOf } from '../texts/reading.ts';

/** How a file differs between two commits. */
export const fileChanges = ['added', 'changed', 'removed'] as const;

/** What differs between the commit of a run and that of the run that is live. */
export const runComparison = z.object({
  /** Whole ids of the commits, from what is live to the run; null where a run has none. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The repository of this console that both are in. */
  owner: z.string(),
  repo: z.string(),
  /** By their paths; 'added' is a file that the run has and what is live has not. Null where git cannot tell, such as for a commit that is gone. */
  files: z.array(z.object({ path: z.string(), change: z.enum(fileChanges) })).nullable(),
  /** Whether more files differ than are listed. */
  more_files: z.boolean(),
});
export type RunComparison = z.infer<typeof runComparison>;

const runParams = z.object({ id: z.string().min(1), instanceId: z.string().min(1) });

/** What can be done with a run besides what `deployEndpoints` has. */
export const runEndpoints = {
  redeploy: endpoint({
    method: 'POST',
    path: '/deploy/{id}/instances/{instanceId}/redeploy',
    summary:
      'Starts a run that builds the commit of this run again, with the settings of today, and answers its instance id. Only for a repository of this console',
    signedIn: true,
    scope: 'deploys:run',
    idempotent: true,
    params: runParams,
    response: z.object({ id: z.string() }),
    reading: idOf('id', 'instance_id'),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/deploy/{id}/instances/{instanceId}/undo',
    summary:
      'Takes a rollback back while it is the newest run: one that has not begun is cancelled and its own id is answered; otherwise it is stopped, and a run that publishes again what was live before is started and its id answered',
    signedIn: true,
    scope: 'deploys:run',
    idempotent: true,
    params: runParams,
    response: z.object({ id: z.string() }),
    reading: idOf('id', 'instance_id'),
  }),
  compare: endpoint({
    method: 'GET',
    path: '/deploy/{id}/instances/{instanceId}/comparison',
    summary:
      'Files that differ between the commit of this run and that of the run that is live. Only for a repository of this console',
    signedIn: true,
    params: runParams,
    response: runComparison,
    reading: entityOf(runComparison),
  }),
};
