import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { candidProbes } from '../hostile-texts/candid-probes.ts';
import { logProbes } from '../hostile-texts/log-probes.ts';
import type { Finding } from '../hostile-texts/probe.ts';
import { projectProbes } from '../hostile-texts/project-probes.ts';
import { siteProbes } from '../hostile-texts/site-probes.ts';

const program = fileURLToPath(new URL('../hostile-texts/run-probes.ts', import.meta.url));
const probes = [...siteProbes, ...projectProbes, ...candidProbes, ...logProbes];
/** All probes together; a probe that hangs ends them here. */
const LIMIT_MS = 240_000;
/**
 * The longest a probe may use the main thread, in milliseconds of its processor time: what lies above a second would be
 * felt by everybody. A probe's own preparations count too.
 */
const MAIN_THREAD_MS = 1_000;

let findings: Map<string, Finding>;
const folder = mkdtempSync(join(tmpdir(), 'cannery-probes-'));

beforeAll(async () => {
  // A separate process: what hangs there cannot hang this test.
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    env: { ...process.env, TMPDIR: folder },
  }).catch((error: { stdout: string }) => error);
  const lines = stdout.split('\n').filter((line) => line.endsWith('}'));
  findings = new Map(
    lines.map((line) => JSON.parse(line) as Finding).map((finding) => [finding.name, finding]),
  );
}, LIMIT_MS + 10_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a hostile text neither holds the server nor breaks it', () => {
  test.each(probes)('$name', ({ name, outcome, says = '' }) => {
    const finding = findings.get(name);
    expect(finding, 'it did not end').toMatchObject({ outcome, message: expect.stringContaining(says) });
    expect(finding?.mainThreadMs).toBeLessThan(MAIN_THREAD_MS);
  });
});
