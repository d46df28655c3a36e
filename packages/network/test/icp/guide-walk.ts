import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

const CHAPTER = fileURLToPath(new URL('../../../../docs/guide/icp-and-cannery.md', import.meta.url));
/** Port of the network in the text. */
const PORT_IN_TEXT = 4943;

/** What is to be typed under a heading of the chapter. */
interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The commands of the chapter, by its headings. */
export function sectionsOfChapter(): Section[] {
  return readFileSync(CHAPTER, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      lines: [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
        block.split('\n').filter((line) => line !== ''),
      ),
    }));
}

/** Writes the file `icp.yaml` of the chapter, for a network at this port. */
export function writeProject(folder: string, port: number): void {
  const [, yaml = ''] = /^```yaml\n(.*?)^```$/ms.exec(readFileSync(CHAPTER, 'utf8')) ?? [];
  writeFileSync(join(folder, 'icp.yaml'), yaml.replace(`:${PORT_IN_TEXT}`, `:${port}`));
}

/** A shell that remembers what lines of it have set. */
export class Shell {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = { ...env };
  }

  get env(): Readonly<NodeJS.ProcessEnv> {
    return this.#env;
  }

  /** Runs a line as a reader types it. What it printed; throws with that when it fails. */
  async type(line: string): Promise<string> {
    const exported = /^export (\w+)=(.*)$/.exec(line);
    const kept = /^(\w+)=\$\((.*)\)$/.exec(line);
    if (exported) {
      const value = await this.#run(`printf %s ${exported[2]}`);
      this.#env[exported[1] ?? ''] = value;
      return value;
    }
    const output = await this.#run(kept?.[2] ?? line);
    if (kept) this.#env[kept[1] ?? ''] = output.trim();
    return output;
  }

  async #run(line: string): Promise<string> {
    const child = spawn('sh', ['-c', line], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code !== 0) throw new Error(`${line}\n${output}${errors}`);
    return output;
  }
}
