import { networkMetrics } from '@cannery/network/metrics';
import type { NetworkFigures } from '@cannery/network/program';
import type { MetricsLibrary } from '../metrics/instrument.ts';

const UP = 'cannery_network_up';

/**
 * The metrics of the embedded network in the text form of Prometheus.
 * @param figures undefined when it has not answered
 */
export async function networkText(
  { AggregatorRegistry }: MetricsLibrary,
  figures: NetworkFigures | undefined,
): Promise<string> {
  const up = {
    name: UP,
    type: 'gauge',
    help: '1 while the embedded network says how it is doing.',
    values: [{ labels: {}, value: figures === undefined ? 0 : 1 }],
  };
  const metrics = [up, ...(figures === undefined ? [] : networkMetrics(figures))];
  return AggregatorRegistry.aggregate([metrics.map((each) => ({ ...each, aggregator: 'first' }))]).metrics();
}
