// Everything that the server measures while it works, in one place. Each label has values that stand in our code: patterns of
// routes, kinds, outcomes. The table for operators is docs/operations/observability.md.
import { Count, Level, Timing } from './instrument.ts';

/** Bounds in seconds for what a person or a program waits for. */
const WAITED_FOR = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10] as const;
/** Bounds in seconds for what lasts as long as a build. */
const BUILT = [2, 5, 15, 30, 60, 120, 300, 900] as const;

export const httpRequests = new Count<'route' | 'method' | 'status'>({
  name: 'cannery_http_requests_total',
  help: 'Requests answered, by pattern of the route, method and class of the status; aborted: the client went away first.',
  labels: ['route', 'method', 'status'],
});
export const httpTimes = new Timing<'route' | 'method'>({
  name: 'cannery_http_request_duration_seconds',
  help: 'Time from the head of a request to the last byte of its answer.',
  labels: ['route', 'method'],
  seconds: WAITED_FOR,
});
export const httpUnderWay = new Level({
  name: 'cannery_http_requests_under_way',
  help: 'Requests that are not answered yet, open streams included.',
});
export const httpErrors = new Count<'code'>({
  name: 'cannery_http_errors_total',
  help: 'Error answers of the API, by code of the contract.',
  labels: ['code'],
});
export const httpNotServed = new Count<'reason'>({
  name: 'cannery_http_not_served_total',
  help: 'Requests that no route has seen: foreign (another host name) or broken (no HTTP).',
  labels: ['reason'],
});
export const ratesRefused = new Count<'kind'>({
  name: 'cannery_rates_refused_total',
  help: 'Requests refused for a rate, by kind: calls, uploads, pushes, or turns (too much of one user waits).',
  labels: ['kind'],
});
export const securityEventCounts = new Count<'event'>({
  name: 'cannery_security_events_total',
  help: 'Events of the security log, also those of which no line was written.',
  labels: ['event'],
});
export const uploadedBytes = new Count({
  name: 'cannery_uploaded_bytes_total',
  help: 'Bytes of files that came in by uploads.',
});
export const openStreams = new Level({
  name: 'cannery_streams_open',
  help: 'Streams of events (live news and logs of runs) that are open in this process.',
});

export const queryTimes = new Timing<'kind'>({
  name: 'cannery_database_query_duration_seconds',
  help: 'Time of statements at the database, by kind; waiting for a connection is not in it.',
  labels: ['kind'],
  seconds: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
});
export const queryErrors = new Count({
  name: 'cannery_database_query_errors_total',
  help: 'Statements that failed, also those of which the code expects it.',
});
export const noticesHeard = new Count({
  name: 'cannery_notices_heard_total',
  help: 'News of other processes heard from the database.',
});
export const noticesLost = new Count({
  name: 'cannery_notice_connections_lost_total',
  help: 'How often the connection for news was lost; news of the gap are made up for by looking.',
});
export const noticesConnected = new Level({
  name: 'cannery_notice_connection_up',
  help: 'Whether news of other processes can be heard.',
});

export const blobOperations = new Count<'operation' | 'result'>({
  name: 'cannery_blob_operations_total',
  help: 'Operations of the blob store (folder or bucket), by result: ok, missing or error.',
  labels: ['operation', 'result'],
});
export const blobTimes = new Timing<'operation'>({
  name: 'cannery_blob_operation_duration_seconds',
  help: 'Time of operations of the blob store.',
  labels: ['operation'],
  seconds: WAITED_FOR,
});

export const icCalls = new Count<'kind' | 'result'>({
  name: 'cannery_ic_requests_total',
  help: 'Requests to the IC network, by kind and result: ok, refused (4xx), failed (5xx) or away.',
  labels: ['kind', 'result'],
});
export const icTimes = new Timing<'kind'>({
  name: 'cannery_ic_request_duration_seconds',
  help: 'Time of requests to the IC network, their answers included.',
  labels: ['kind'],
  seconds: WAITED_FOR,
});
export const egressWays = new Level({
  name: 'cannery_egress_ways_open',
  help: 'Ways to hosts outside that builds and fetches have open.',
});
export const egressConnections = new Count<'result'>({
  name: 'cannery_egress_connections_total',
  help: 'Connections that builds and fetches have asked for: opened, refused or failed.',
  labels: ['result'],
});

export const gitPushes = new Count<'result'>({
  name: 'cannery_git_pushes_total',
  help: 'Pushes to the git host: taken, or refused by a rule of this server.',
  labels: ['result'],
});
export const repositoryCopies = new Count<'result'>({
  name: 'cannery_repository_copies_total',
  help: 'Copies of repositories to the bucket (REPOSITORIES_BACKUP): copied, or failed (they are tried again).',
  labels: ['result'],
});
export const repositoryCopiesWaiting = new Level({
  name: 'cannery_repository_copies_waiting',
  help: 'Owners with changes in repositories that are not in the bucket yet.',
});
export const repositoryCopyAge = new Level({
  name: 'cannery_repository_copy_oldest_seconds',
  help: 'Age of the oldest change of a repository that is not in the bucket yet; 0 when all are.',
});
export const jobsDone = new Count<'queue' | 'result'>({
  name: 'cannery_jobs_total',
  help: 'Jobs that this worker has done, by queue: done, or failed (they are tried again).',
  labels: ['queue', 'result'],
});
export const jobsUnderWay = new Level({
  name: 'cannery_jobs_under_way',
  help: 'Jobs that this worker does at the moment.',
});
export const runsEnded = new Count<'status'>({
  name: 'cannery_runs_ended_total',
  help: 'Runs of deploys that this process has ended: COMPLETED, FAILED, CANCELLED, or LOST (their worker was gone).',
  labels: ['status'],
});
export const runTimes = new Timing<'status'>({
  name: 'cannery_run_duration_seconds',
  help: 'Time from the start of a run to its end, by status.',
  labels: ['status'],
  seconds: BUILT,
});
export const buildsUnderWay = new Level({
  name: 'cannery_builds_under_way',
  help: 'Builds that run in this process.',
});
export const builds = new Count<'type' | 'result'>({
  name: 'cannery_builds_total',
  help: 'Builds by type of deploy and result: built, failed (by the project or the server) or stopped.',
  labels: ['type', 'result'],
});
export const buildTimes = new Timing<'type'>({
  name: 'cannery_build_duration_seconds',
  help: 'Time of builds from the checkout to what is published.',
  labels: ['type'],
  seconds: BUILT,
});
export const workerWarnings = new Level({
  name: 'cannery_worker_warnings',
  help: 'Warnings of the worker about this machine, as the console shows them: 0 when all is well.',
});
export const sandboxWeak = new Level({
  name: 'cannery_sandbox_weak',
  help: '1 where builds run without isolation, or not at all since none works.',
});
