import type { NetworkMetric } from './network-metrics.ts';

/** The media type of the text form of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in the text form of Prometheus. Neither texts nor labels may have quotes, backslashes or line ends: all of them are ours. */
export function metricsText(metrics: readonly NetworkMetric[]): string {
  return metrics
    .map(({ name, type, help, values }) => {
      const lines = values.map(({ metricName, labels, value }) => {
        const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
        return `${metricName ?? name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
      });
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('\n');
}
