import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { processes } from '@cannery/dev-env';
import { heldBy, slopeOf } from '../held-by.ts';
import { type Fleet, memberNames } from '../../test/roles/fleet.ts';

/** What a fleet holds at a moment: by a name such as `api-0: MiB`. */
interface Sample {
  readonly hours: number;
  readonly held: Readonly<Record<string, number>>;
}

/** A line through the samples of one thing that is held. */
interface Trend {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  /** By the line of least squares through the samples. */
  readonly perHour: number;
}

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Looks at the processes of a fleet that this process has started; Linux only, where /proc is. */
export class FleetWatch {
  readonly #fleet: Fleet;
  readonly #folder: string;
  readonly #temporary: string;
  readonly #samples: Sample[] = [];
  readonly #start = performance.now();

  /**
   * @param folder of the fleet
   * @param temporary its folder of temporary files
   */
  constructor(fleet: Fleet, folder: string, temporary: string) {
    this.#fleet = fleet;
    this.#folder = folder;
    this.#temporary = temporary;
  }

  /** Notes what is held now. @param more other counts */
  take(more: Readonly<Record<string, number>>): void {
    const all = processes();
    const held: Record<string, number> = { ...more, 'temporary files': countBelow(this.#temporary) };
    for (const name of memberNames) {
      const pid = this.#fleet.members[name].pid();
      if (pid === undefined) continue;
      const { memory, descriptors } = heldBy(pid);
      held[`${name}: MiB`] = memory / MIB;
      held[`${name}: descriptors`] = descriptors;
      held[`${name}: children`] = all.filter(({ parent }) => parent === pid).length;
      const builds = join(this.#folder, name, 'builds');
      if (existsSync(builds)) held[`${name}: folders of builds`] = readdirSync(builds).length;
    }
    const database = all.filter(({ command }) => command.startsWith('postgres: cannery'));
    held['connections to Postgres'] = database.length;
    this.#samples.push({ hours: (performance.now() - this.#start) / HOUR_MS, held });
  }

  /** How each thing went. @param from hours after the first sample; what is earlier is the warm-up */
  trends(from: number): Readonly<Record<string, Trend>> {
    const kept = this.#samples.filter(({ hours }) => hours >= from);
    const names = [...new Set(kept.flatMap(({ held }) => Object.keys(held)))].toSorted();
    return Object.fromEntries(
      names.map((name) => {
        const points = kept.map(({ hours, held }) => [hours, held[name] ?? 0] as const);
        const values = points.map(([, value]) => value);
        const [first = 0] = values;
        return [
          name,
          { first, last: values.at(-1) ?? 0, most: Math.max(...values), perHour: slopeOf(points) },
        ];
      }),
    );
  }
}

function countBelow(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    // A folder below it went meanwhile.
    return readdirSync(folder).length;
  }
}
