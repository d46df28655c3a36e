import { readdirSync } from 'node:fs';
import { type Product, processes } from '@cannery/dev-env';
import { type Held, heldBy } from '../crash/held-by.ts';

/** What the product holds at a moment. */
export interface Sample {
  readonly requests: number;
  readonly server: Held;
  readonly network: Held;
  /** Files in the folder of temporary files. */
  readonly temporary: number;
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
