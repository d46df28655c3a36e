import type { NetworkFigures } from '../figures.ts';
import { TIME_BOUNDS_MILLIS } from '../http/transport/tally.ts';

/** A metric with its values; all names and labels stand in this file. */
export interface NetworkMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly values: readonly {
    /** Where it is not that of the metric. */
    readonly metricName?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

/** One value of a metric, with its labels. */
type Value = readonly [labels: Readonly<Record<string, string>>, value: number];

interface PlainMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly values: (figures: NetworkFigures) => readonly Value[];
}

const PREFIX = 'cannery_network_';
const one = (read: (figures: NetworkFigures) => number) => (figures: NetworkFigures) =>
  [[{}, read(figures)]] as const;

/** What the process of the embedded network counts, and what it is called here. */
const METRICS: readonly PlainMetric[] = [
  { name: 'canisters', type: 'gauge', help: 'Canisters.', values: one(({ engine }) => engine.canisters) },
  {
    name: 'state_bytes',
    type: 'gauge',
    help: 'Memory of all canisters.',
    values: one(({ engine }) => engine.stateBytes),
  },
  {
    name: 'messages_total',
    type: 'counter',
    help: 'Messages carried out since the network was made.',
    values: one(({ engine }) => engine.messages),
  },
  {
    name: 'instructions_total',
    type: 'counter',
    help: 'Weighted instructions of messages and queries since the start of the process.',
    values: one(({ engine }) => engine.instructions),
  },
  {
    name: 'rounds_total',
    type: 'counter',
    help: 'States that were certified since the start of the process.',
    values: one(({ rounds }) => rounds),
  },
  {
    name: 'cycles_consumed_total',
    type: 'counter',
    help: 'Cycles that canisters have paid since the network was made.',
    values: one(({ engine }) => engine.consumedCycles),
  },
  {
    name: 'clock_ahead_seconds',
    type: 'gauge',
    help: 'By how much the time of the network is ahead of the clock of the machine, which was set back.',
    values: one(({ engine }) => engine.aheadSeconds),
  },
  {
    name: 'messages_waiting',
    type: 'gauge',
    help: 'Messages in the queues of canisters.',
    values: one(({ engine }) => engine.waiting.messages),
  },
  {
    name: 'queues_waiting',
    type: 'gauge',
    help: 'Queues of canisters that have messages.',
    values: one(({ engine }) => engine.waiting.queues),
  },
  {
    name: 'heavy_under_way',
    type: 'gauge',
    help: 'Canisters whose message is long and is carried out in another thread.',
    values: one(({ engine }) => engine.heavy),
  },
  {
    name: 'commits_total',
    type: 'counter',
    help: 'Changes kept since the network was made.',
    values: one(({ engine }) => engine.store.commits),
  },
  {
    name: 'log_bytes',
    type: 'gauge',
    help: 'Bytes of the log that the next checkpoint writes out.',
    values: one(({ engine }) => engine.store.logBytes),
  },
  {
    name: 'checkpoints_total',
    type: 'counter',
    help: 'Checkpoints since the start of the process.',
    values: one(({ engine }) => engine.store.checkpoints),
  },
  {
    name: 'checkpoint_failed',
    type: 'gauge',
    help: '1 while the last checkpoint has failed; it is tried again.',
    values: one(({ engine }) => Number(engine.store.hasFailed)),
  },
  {
    name: 'disk_low',
    type: 'gauge',
    help: '1 while no calls are accepted since the disk is nearly full.',
    values: one(({ engine }) => Number(engine.store.isDiskLow)),
  },
  {
    name: 'http_requests_total',
    type: 'counter',
    help: 'Requests to the IC HTTP interface, by what they ask for and result: ok, refused (4xx) or failed (5xx).',
    values: ({ http }) =>
      Object.entries(http.requests).flatMap(([kind, results]) =>
        Object.entries(results).map(([result, count]) => [{ kind, result }, count] as const),
      ),
  },
  {
    name: 'turned_away_total',
    type: 'counter',
    help: 'Connections closed and requests refused since the network held too much for clients already.',
    values: one(({ http }) => http.turnedAway),
  },
  {
    name: 'pages_total',
    type: 'counter',
    help: 'Answers of the gateway: made by a canister, or kept and sent again.',
    values: ({ http }) => Object.entries(http.pages).map(([how, count]) => [{ how }, count] as const),
  },
  {
    name: 'kept_answers',
    type: 'gauge',
    help: 'Answers that the gateway keeps.',
    values: one(({ kept }) => kept.answers),
  },
  {
    name: 'kept_bytes',
    type: 'gauge',
    help: 'Bytes of the answers that the gateway keeps.',
    values: one(({ kept }) => kept.bytes),
  },
  {
    name: 'resident_bytes',
    type: 'gauge',
    help: 'Memory of the process.',
    values: one(({ process }) => process.residentBytes),
  },
  {
    name: 'heap_bytes',
    type: 'gauge',
    help: 'Heap of its main thread.',
    values: one(({ process }) => process.heapBytes),
  },
  {
    name: 'cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of all its threads.',
    values: one(({ process }) => process.cpuSeconds),
  },
  {
    name: 'open_fds',
    type: 'gauge',
    help: 'Descriptors that it has open.',
    values: ({ process: { descriptors } }) => (descriptors === undefined ? [] : [[{}, descriptors]]),
  },
  {
    name: 'event_loop_lag_seconds',
    type: 'gauge',
    help: 'By how much its main thread was late since the scrape before.',
    values: ({ process: { loopLag } }) => [
      [{ quantile: '0.5' }, loopLag.p50],
      [{ quantile: '0.99' }, loopLag.p99],
    ],
  },
];

const TIMES = `${PREFIX}http_request_duration_seconds`;

/** What a network counts, as Prometheus has it. */
export function networkMetrics(figures: NetworkFigures): readonly NetworkMetric[] {
  const plain = METRICS.map(({ name, type, help, values }) => ({
    name: PREFIX + name,
    type,
    help,
    values: values(figures).map(([labels, value]) => ({ labels, value })),
  }));
  return [...plain, timesOf(figures)];
}

function timesOf({ http }: NetworkFigures): NetworkMetric {
  const values = Object.entries(http.times).flatMap(([kind, { counts, sumMillis }]) => {
    let below = 0;
    const buckets = counts.map((count, place) => {
      below += count;
      const bound = TIME_BOUNDS_MILLIS[place];
      const le = bound === undefined ? '+Inf' : String(bound / 1000);
      return { metricName: `${TIMES}_bucket`, labels: { le, kind }, value: below };
    });
    return [
      ...buckets,
      { metricName: `${TIMES}_sum`, labels: { kind }, value: sumMillis / 1000 },
      { metricName: `${TIMES}_count`, labels: { kind }, value: below },
    ];
  });
  return {
    name: TIMES,
    type: 'histogram',
    help: 'Time of requests to the IC HTTP interface, by what they ask for.',
    values,
  };
}
