import { readFileSync } from 'node:fs';

/** Of the kernel's clock of processes: USER_HZ is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU time that a process has used so far, with all its threads, in milliseconds. @throws Error where there is no such process */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}
