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

function started(): Started[] {
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
  return [...all]
    .filter(([pid]) => pid !== String(process.pid) && isOurs(pid))
    .map(([, fields]) => {
      const bytes = (field: string): number => Number.parseInt(fields.get(field) ?? '0', 10) * 1024;
      return {
        name: fields.get('Name') ?? '',
        peak: bytes('VmHWM'),
        kept: bytes('RssAnon') + bytes('RssShmem'),
      };
    });
}

/** Does something, and tells the most that a measure of the processes started meanwhile came to. */
export async function mostDuring<T>(
  measure: (processes: readonly Started[]) => number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly most: number }> {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, measure(started()));
  }, SAMPLE_MS);
  try {
    return { result: await work(), most };
  } finally {
    clearInterval(timer);
  }
}
