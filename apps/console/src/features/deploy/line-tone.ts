/** What a line is in the course of a run: a step's heading, the reason of a failure, a warning, or a tool's own words. */
export type LineTone = 'step' | 'failure' | 'warning' | 'plain';

/** Tells from its first words what a log line is; the words are those the service writes at the start of a line. */
export function lineTone(line: string): LineTone {
  if (line.startsWith('==> ')) return 'step';
  if (line.startsWith('Failed: ') || line === 'Deployment Failed!') return 'failure';
  if (line.startsWith('Warning: ')) return 'warning';
  return 'plain';
}
