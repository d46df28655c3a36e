import { randomUUID } from 'node:crypto';
import type { Logger } from '../../log/logger.ts';
import { bareSandbox } from '../sandbox/bare.ts';
import { bubblewrapSandbox } from '../sandbox/bubblewrap.ts';
import { findProgram } from '../process/machine-paths.ts';
import { namespaceSandbox } from '../sandbox/namespaces.ts';
import type { HiddenFolders } from '../sandbox/root-plan.ts';
import { openWorkspace, type Workspace } from '../disks/workspace.ts';
import { NoSandboxError, type Sandbox, type SandboxLimits } from '../sandbox/sandbox.ts';
import type { Toolchain } from '../sandbox/toolchain.ts';

export interface SandboxOptions {
  readonly toolchain: Toolchain;
  readonly hidden: HiddenFolders;
  readonly limits: SandboxLimits;
  /** As workspaces are made with. */
  readonly buildsFolder: string;
  readonly tenantsFolder: string;
  /** Search path of the server, for bubblewrap. */
  readonly searchPath: string;
  /** Whether builds may run without isolation: only on a console that its own machine alone can reach. */
  readonly allowBare: boolean;
  readonly log: Logger;
  /** How long a candidate may take to show that it works. */
  readonly patienceMs?: number;
}

/** A machine that does much else takes long for the small step, too. */
const PATIENCE_MS = 60_000;
const PROBE_WORD = 'sandbox works';

/** A step's own loopback must be up: the way out of an installation leads over it. */
const PROBE_LOOPBACK =
  'const net = require("net"); const s = net.createServer().listen(0, "127.0.0.1", () => ' +
  'net.connect(s.address().port, "127.0.0.1", () => process.exit(0)));';

const HOW_TO_MEND =
  'Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or allow user namespaces ' +
  '(sysctl kernel.unprivileged_userns_clone=1, and in a container a seccomp profile that permits unshare and mount); ' +
  'the second also needs the program ip (apt install iproute2) or perl.';

const BARE_WARNING =
  'No sandbox works on this machine, so this build runs with the rights of the Cannery server. ' +
  `Deploy only repositories you trust. ${HOW_TO_MEND}`;

const NO_ANSWER =
  'the sandbox did not answer in time, most likely because the machine is very busy. Start Cannery again when it has less to do.';

/** What a trivial step has shown; one that was ended from outside has shown nothing. */
type Finding = 'works' | 'fails' | 'unknown';

/** Runs a trivial step; a mechanism that cannot do that does not work here. */
async function probe(
  sandbox: Sandbox,
  { buildsFolder, tenantsFolder, log, patienceMs = PATIENCE_MS }: SandboxOptions,
): Promise<Finding> {
  const lines: string[] = [];
  let folders: Workspace | null = null;
  try {
    const name = { owner: 'probe', id: `probe-${randomUUID()}` };
    folders = await openWorkspace({ sandbox, buildsFolder, tenantsFolder }, name);
    const result = await sandbox.run(folders, {
      argv: ['sh', '-c', `touch a && node -e '${PROBE_LOOPBACK}' && echo "${PROBE_WORD}"`],
      env: {},
      way: null,
      timeoutMs: patienceMs,
      signal: new AbortController().signal,
      onLine: (line) => lines.push(line),
    });
    const isSeen = result.exitCode === 0 && (await folders.source.kindOf('a')) === 'file';
    if (isSeen && lines.includes(PROBE_WORD)) return 'works';
    log.info({ sandbox: sandbox.name, lines, stopped: result.stopped }, 'sandbox does not work here');
    return result.stopped === null ? 'fails' : 'unknown';
  } catch (error) {
    log.info({ sandbox: sandbox.name, err: error }, 'sandbox does not work here');
    return 'fails';
  } finally {
    await folders?.remove().catch((error: unknown) => log.info({ err: error }, 'a probe left its folder'));
  }
}

/**
 * The strongest isolation that really works on this machine; each candidate is tried with a small step.
 * @throws NoSandboxError when none works and building without one is not allowed, or when one did not answer in time:
 * a busy machine must not lose its isolation.
 */
export async function chooseSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { toolchain, hidden, limits } = options;
  const candidates: Sandbox[] = [];
  if (process.platform === 'linux') {
    // Root can give a build a user that owns nothing; bubblewrap cannot.
    if (process.getuid?.() === 0) {
      candidates.push(namespaceSandbox({ toolchain, hidden, limits, asRoot: true }));
    }
    const program = await findProgram('bwrap', options.searchPath);
    if (program !== null) candidates.push(bubblewrapSandbox({ program, toolchain, hidden, limits }));
    candidates.push(namespaceSandbox({ toolchain, hidden, limits, asRoot: false }));
  }
  let unknown = false;
  for (const sandbox of candidates) {
    const finding = await probe(sandbox, options);
    if (finding === 'works') return sandbox;
    unknown ||= finding === 'unknown';
  }
  if (unknown) throw new NoSandboxError(`Builds are switched off: ${NO_ANSWER}`);
  if (options.allowBare) return bareSandbox({ toolchain, limits, warning: BARE_WARNING });
  throw new NoSandboxError(`Builds are switched off: no sandbox works on this machine. ${HOW_TO_MEND}`);
}
