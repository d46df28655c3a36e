import { posix } from 'node:path';

/** A build command with the installing of packages taken out of its front. */
export interface BuildPlan {
  /** Folder whose packages are installed, relative to the checkout. */
  readonly installIn: string;
  /** The install command as the user wrote it, or null. */
  readonly written: string | null;
  /** Whether the user asked for npm's older way to resolve peer packages. */
  readonly legacyPeers: boolean;
  /** What is left for the shell; empty when there is nothing to run. */
  readonly command: string;
}

const CHANGE_FOLDER = /^cd\s+(?:"([^"]+)"|'([^']+)'|([^\s"'$`\\;|&<>()]+))$/;
const INSTALL =
  /^(?:(?:npm|pnpm)\s+(?:ci|i|install|clean-install)|yarn(?:\s+install)?)((?:\s+-{1,2}[\w-]+(?:=[\w./-]+)?)*)(?:\s+--prefix\s+([\w./-]+))?((?:\s+-{1,2}[\w-]+)*)$/;

/** `npm --prefix folder run x` and `npm run x --prefix folder` name the folder whose packages they need. */
const PREFIX = /\bnpm\s+(?:run\s+\S+\s+)?--prefix[=\s]([\w./-]+)/;

function joined(folder: string, inside: string): string {
  const path = posix.join(folder, inside);
  return path === '.' ? '' : path;
}

/**
 * Packages are installed in a separate step, with a way out to registries and without scripts: a leading `npm ci` or
 * `npm install`, also after `cd folder`, leaves the command. Everything else stays exactly as written.
 */
export function planBuild(command: string): BuildPlan {
  const parts = command.split('&&').map((part) => part.trim());
  const kept: string[] = [];
  let folder = '';
  for (const [index, part] of parts.entries()) {
    const install = INSTALL.exec(part);
    if (install !== null) {
      const flags = `${install[1] ?? ''} ${install[3] ?? ''}`;
      const prefix = install[2] ?? /--prefix=([\w./-]+)/.exec(flags)?.[1] ?? '';
      return {
        installIn: joined(folder, prefix),
        written: part,
        legacyPeers: /--(?:legacy-peer-deps|force)\b/.test(flags),
        command: [...kept, ...parts.slice(index + 1)].filter((rest) => rest !== '').join(' && '),
      };
    }
    const change = CHANGE_FOLDER.exec(part);
    if (change === null) break;
    folder = joined(folder, change[1] ?? change[2] ?? change[3] ?? '');
    kept.push(part);
  }
  const named = PREFIX.exec(command)?.[1] ?? '';
  return { installIn: joined(folder, named), written: null, legacyPeers: false, command: command.trim() };
}
