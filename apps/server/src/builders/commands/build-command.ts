import { posix } from 'node:path';
import type { NamedTools, ToolName } from '../packages/npm/choose-tool.ts';

/** A build command with the installing of packages taken out of it. */
export interface BuildPlan {
  /** Folders whose packages are installed, relative to the folder of the command; the last is that of what is left. */
  readonly installIn: readonly string[];
  /** The parts that are left out, as the user wrote them. */
  readonly left: readonly string[];
  /** Whether the user asked for npm's older way to resolve peer packages. */
  readonly legacyPeers: boolean;
  /** The tools that the command names. */
  readonly tools: NamedTools;
  /** What is left for the shell; empty when there is nothing to run. */
  readonly command: string;
}

const CHANGE_FOLDER = /^cd\s+(?:"([^"]+)"|'([^']+)'|([^\s"'$`\\;|&<>()]+))$/;
/** Flags; `--prefix`, `-C`, `--dir` and `--cwd` name a folder, and a number may follow any. */
const FLAGS = String.raw`(?:\s+(?:--(?:prefix|dir|cwd)|-C)\s+[\w./-]+|\s+-{1,2}[\w-]+(?:=[\w./:-]+|\s+\d+)?)*`;
/** An installation of all packages. */
const INSTALL = new RegExp(
  String.raw`^(?:(?:npm|pnpm|bun)${FLAGS}\s+(?:ci|i|install|clean-install)|yarn(?:${FLAGS}\s+install)?)${FLAGS}$`,
);
const PREFIX = /(?:^|\s)(?:--(?:prefix|dir|cwd)|-C)[=\s]\s*([\w./-]+)/;
/** What makes tools ready that are ready here. */
const READY =
  /^(?:corepack\s+(?:enable|prepare|install)\b[\w\s@./-]*|npm\s+(?:i|install|add)\s+(?:-g|--global)\s+(?:npm|pnpm|yarn|bun|corepack)(?:@[\w.-]+)?)$/;
/** Words only: nothing that a shell would treat in its own way. */
const PLAIN = /^[\w\s@:./=+,-]*$/;

/** Tools that are told a folder: `npm --prefix folder run x`, `pnpm -C folder build`, `yarn --cwd folder build`. */
const NAMED_FOLDER =
  /\b(?:npm\s+(?:run\s+\S+\s+)?--prefix|pnpm\s+(?:-C|--dir)|(?:yarn|bun)\s+--cwd)[=\s]\s*([\w./-]+)/;
const TOOL = /(?:^|&&|;)\s*(npm|pnpm|yarn|bun|npx|pnpx|bunx)(?=\s|$)/;
const TOOLS: Readonly<Record<string, ToolName>> = {
  npm: 'npm',
  npx: 'npm',
  pnpm: 'pnpm',
  pnpx: 'pnpm',
  yarn: 'yarn',
  bun: 'bun',
  bunx: 'bun',
};

function toolOf(command: string): ToolName | null {
  return TOOLS[TOOL.exec(command)?.[1] ?? ''] ?? null;
}

function joined(folder: string, inside: string): string {
  const path = posix.join(folder, inside);
  return path === '.' ? '' : path.replace(/\/$/, '');
}

/**
 * Packages are installed in a separate step, with a way out to registries and without scripts: every `npm ci` and the
 * like leaves the command, as long as all before it are plain words. Everything else stays exactly as written.
 */
export function planBuild(command: string): BuildPlan {
  const parts = command.split('&&').map((part) => part.trim());
  const kept: string[] = [];
  const left: string[] = [];
  const installIn: string[] = [];
  let folder = '';
  let worksIn: string | null = null;
  for (const [index, part] of parts.entries()) {
    const change = CHANGE_FOLDER.exec(part);
    if (change !== null) {
      folder = joined(folder, change[1] ?? change[2] ?? change[3] ?? '');
      kept.push(part);
    } else if (INSTALL.test(part)) {
      installIn.push(joined(folder, PREFIX.exec(part)?.[1] ?? ''));
      left.push(part);
    } else if (READY.test(part)) left.push(part);
    else {
      worksIn ??= joined(folder, NAMED_FOLDER.exec(part)?.[1] ?? '');
      kept.push(part);
      if (PLAIN.test(part)) continue;
      kept.push(...parts.slice(index + 1));
      break;
    }
  }
  const written = left.length === 0 ? command.trim() : kept.filter((part) => part !== '').join(' && ');
  return {
    installIn: installIn.length > 0 ? installIn : [worksIn ?? folder],
    left,
    legacyPeers: left.some((part) => /--(?:legacy-peer-deps|force)\b/.test(part)),
    tools: { first: toolOf(command), installs: toolOf(left.find((part) => INSTALL.test(part)) ?? '') },
    command: left.length > 0 && worksIn === null ? '' : written,
  };
}
