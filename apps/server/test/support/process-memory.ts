import { readdirSync, readFileSync } from 'node:fs';

/** A process that this one has started, or that one of those has. */
interface Started {
  readonly name: string;
  /** Bytes of the most that it has ever had, mapped files included. */
  readonly peak: number;
  /** Bytes that it has now without mapped files. */
  readonly kept: number;
}

const SAMPLE_MS = 20;

function fieldsOf(pid: string): Map<string, string> {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
    return new Map(lines.map((line) => [line.split(':')[0] ?? '', line.split(':')[1]?.trim() ?? '']));
  } catch {
    return new Map();
  }
}

function started(): Map<string, Started> {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [pid, fieldsOf(pid)]),
  );
  const isOurs = (pid: string): boolean => {
    for (let at = pid; all.has(at); at = all.get(at)?.get('PPid') ?? '')
      if (at === String(process.pid)) return true;
    return false;
  };
  const entries = [...all].filter(([pid]) => pid !== String(process.pid) && isOurs(pid));
  return new Map(
    entries.map(([pid, fields]) => {
      const bytes = (field: string): number => Number.parseInt(fields.get(field) ?? '0', 10) * 1024;
      const name = fields.get('Name') ?? '';
      return [pid, { name, peak: bytes('VmHWM'), kept: bytes('RssAnon') + bytes('RssShmem') }];
    }),
  );
}

/** Does something, and tells the most that a measure of the processes started meanwhile came to. */
export async function mostDuring<T>(
  measure: (processes: readonly Started[]) => number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly most: number }> {
  let most = 0;
  const before = started();
  const timer = setInterval(() => {
    const since = [...started()].filter(([pid]) => !before.has(pid)).map(([, one]) => one);
    most = Math.max(most, measure(since));
  }, SAMPLE_MS);
  try {
    return { result: await work(), most };
  } finally {
    clearInterval(timer);
  }
}
