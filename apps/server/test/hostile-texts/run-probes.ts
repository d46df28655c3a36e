import { CandidError } from '@cannery/candid';
import { BuildError } from '../../src/builders/build-error.ts';
import { AppError } from '../../src/errors.ts';
import { candidProbes } from './candid-probes.ts';
import { logProbes } from './log-probes.ts';
import type { Finding, Probe } from './probe.ts';
import { projectProbes } from './project-probes.ts';
import { siteProbes } from './site-probes.ts';

/** Runs the probes one after the other, each in this process as the server would, and prints what came of each. */
async function find(probe: Probe): Promise<Finding> {
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  let outcome: Finding['outcome'] = 'used';
  let message = '';
  try {
    await probe.run();
  } catch (error) {
    const isRefusal =
      error instanceof BuildError || error instanceof AppError || error instanceof CandidError;
    outcome = isRefusal ? 'refused' : 'broken';
    message = error instanceof Error ? error.message : String(error);
  }
  const used = process.threadCpuUsage(cpu);
  return {
    name: probe.name,
    outcome,
    message: message.slice(0, 1_000),
    mainThreadMs: Math.round((used.user + used.system) / 1000),
    wallMs: Math.round(performance.now() - start),
  };
}

for (const probe of [...siteProbes, ...projectProbes, ...candidProbes, ...logProbes]) {
  process.stdout.write(`${JSON.stringify(await find(probe))}\n`);
}
