const HIDDEN_ON_TERMINALS: ReadonlySet<string> = new Set(['level', 'time', 'security', 'msg', 'request_id']);

/**
 * How a line of the log looks on a terminal: one of the security log is a short sentence with its time there, and who it is of. All others
 * stay as they are.
 * @param line a finished line, of which credentials have been taken out
 */
export function terminalLine(line: string): string {
  const fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const { security, time, msg } = fields;
  if (typeof security !== 'string') return line;
  const rest = Object.entries(fields).flatMap(([name, value]) =>
    HIDDEN_ON_TERMINALS.has(name) ? [] : [`${name} ${String(value)}`],
  );
  const at = new Date(String(time)).toLocaleTimeString('en-GB');
  const text = `${at} ${String(msg)}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`;
  // Whatever is in a field: a terminal obeys some characters.
  return `${text.replaceAll(/[^\x20-\x7e]/g, '?')}\n`;
}
