import { readdirSync, readFileSync } from 'node:fs';
import { type Product, processes } from '@cannery/dev-env';

/** What one of the programs holds at a moment. */
interface Held {
  /** Bytes of memory that it has without files. */
  readonly memory: number;
  /** Files and sockets that it has open. */
  readonly descriptors: number;
}

/** What the product holds at a moment. */
export interface Sample {
  readonly requests: number;
  readonly server: Held;
  readonly network: Held;
  /** Files in the folder of temporary files. */
  readonly temporary: number;
}

const MIB = 1024 * 1024;

function heldBy(pid: number): Held {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { memory: kib * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** Looks at a product that this process has started; Linux only, where /proc is. */
export class ProductWatch {
  readonly samples: Sample[] = [];
  readonly #server: number;
  readonly #network: number;
  readonly #temporary: string;

  /** @throws Error when the product is not there */
  constructor({ dataDir }: Pick<Product, 'dataDir'>, temporary: string) {
    this.#temporary = temporary;
    // Other tests may run products at the same time.
    const network = processes().find(({ command }) => command.includes(`--data-dir ${dataDir}`));
    if (network === undefined) throw new Error('The product does not run.');
    this.#server = network.parent;
    this.#network = network.id;
  }

  /** Notes what is held now, and answers it. */
  take(requests: number): Sample {
    const sample = {
      requests,
      server: heldBy(this.#server),
      network: heldBy(this.#network),
      temporary: readdirSync(this.#temporary, { recursive: true }).length,
    };
    this.samples.push(sample);
    return sample;
  }
}

/** How much more memory a program has for ten thousand requests, in MiB, by the line of least squares through samples. */
export function slopeOf(samples: readonly Sample[], program: 'server' | 'network'): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const xs = samples.map(({ requests }) => requests / 10_000);
  const ys = samples.map((one) => one[program].memory / MIB);
  const [middleX, middleY] = [mean(xs), mean(ys)];
  const spread = xs.reduce((sum, x) => sum + (x - middleX) ** 2, 0);
  const together = xs.reduce((sum, x, index) => sum + (x - middleX) * ((ys[index] ?? 0) - middleY), 0);
  return spread === 0 ? 0 : together / spread;
}
