import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly id: number;
  readonly parent: number;
  /** Program and arguments, parted by spaces. */
  readonly command: string;
}

/** All processes that this one can see. A minimal Linux has no `ps`, but `/proc`. */
export function processes(): readonly RunningProcess[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').join(' ').trim();
        return [{ id: Number(entry), parent, command }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}

function fromPs(): RunningProcess[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, id, parent, command]) => ({ id: Number(id), parent: Number(parent), command: command ?? '' }));
}
