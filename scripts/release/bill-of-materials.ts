import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { npmEnvironment } from '../steps/bring.mjs';
import { root } from '../steps/project.mjs';
import { type LockedPackages, nameOf, neededPackages } from './part-of-lock.ts';
import { leftToNode, platformPackages } from './runtime-packages.ts';

/** A licence as CycloneDX writes it. */
type Licence =
  | { readonly license: { readonly id?: string; readonly name?: string } }
  | { readonly expression: string };

export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly Licence[];
  readonly [field: string]: unknown;
}

interface Bill {
  readonly metadata: { readonly component: Component; readonly [field: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [field: string]: unknown;
}

/** Workspaces whose code and packages are in the product; tests and tools are not. */
const WORKSPACES = ['@cannery/server', '@cannery/console', '@cannery/cli'];
/** What the product fetches beside its packages, each by a separate lock file. */
const TOOLCHAINS = ['node', 'node-lts', 'npm'];
/** Workspaces that are not in the product. */
const OF_TESTS = ['%40cannery/e2e@', '%40cannery/dev-env@'];

const licence = [{ license: { id: 'Apache-2.0' } }];
/** Packages whose field is of an older form that npm does not read, and what they write there. */
const OLDER_FIELDS: ReadonlyMap<string, readonly Licence[]> = new Map([['qrcode-terminal@0.12.0', licence]]);

/** `npm sbom` of a folder with a lock file. */
function billOf(folder: string): Bill {
  const npm = process.env['npm_execpath'] ?? '';
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
  const text = execFileSync(process.execPath, [npm, ...args, '--package-lock-only'], {
    cwd: folder,
    encoding: 'utf8',
    env: npmEnvironment(process.env),
    maxBuffer: 64 * 1024 ** 2,
  });
  return JSON.parse(text) as Bill;
}

/** A package of the lock file as a component: `npm sbom` leaves out one that is there a second time by another name (motoko). */
function componentOf(location: string, packages: LockedPackages): Component {
  const entry = packages[location] ?? {};
  const { version = '', license = '', integrity } = entry;
  const name = nameOf(location, entry);
  const [algorithm, digest = ''] = (integrity ?? '').split('-');
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    licenses: / (?:OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }],
  };
}

/** The packages of others that some need, by the lock file, but for those that only the packages of `without` need. */
function packagesOf(names: readonly string[], without: readonly string[] = []): readonly Component[] {
  const file = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(file) as { packages: LockedPackages };
  return neededPackages(packages, names, without)
    .filter((location) => location.includes('node_modules/'))
    .map((location) => componentOf(location, packages));
}

/** The packages of others that are in the product, by the lock file. */
export const productPackages = (): readonly Component[] => packagesOf([...WORKSPACES, ...platformPackages]);

/** Those that are bundled in the npm package of the network. */
export const networkPackages = (): readonly Component[] => packagesOf(['@cannery/network'], leftToNode);

const isOurs = ({ purl }: Component): boolean => purl.startsWith('pkg:npm/%40cannery/');

/**
 * Everything that the product is made of, or fetches, in CycloneDX form by `npm sbom`. Serial number and time are left out, so that the
 * same lock files give the same bill.
 */
export function billOfMaterials(): Bill {
  const { serialNumber: _serial, ...bill } = billOf(root);
  const fetched = TOOLCHAINS.map((name) => billOf(path.join(root, 'scripts/toolchain', name)));
  const { timestamp: _time, ...metadata } = bill.metadata;
  const byRef = (all: readonly Component[]): Map<string, Component> =>
    new Map(all.map((component) => [component['bom-ref'], component]));
  const told = byRef(bill.components);
  const inProduct = productPackages().map((component) => told.get(component['bom-ref']) ?? component);
  const components = byRef([
    ...bill.components.filter(isOurs).filter(({ purl }) => !OF_TESTS.some((name) => purl.includes(name))),
    ...inProduct,
    ...fetched.flatMap((each) => each.components),
  ]);
  const refs = new Set([metadata.component['bom-ref'], ...components.keys()]);
  return {
    ...bill,
    metadata: { ...metadata, component: { ...metadata.component, name: 'cannery' } },
    components: [...components.values()].map((component) => {
      const licenses = isOurs(component) ? licence : OLDER_FIELDS.get(component['bom-ref']);
      return licenses === undefined ? component : { ...component, licenses };
    }),
    dependencies: [bill, ...fetched]
      .flatMap((each) => each.dependencies)
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
}

/** Components of others: what needs a notice. */
export function foreignComponents({ components }: Bill): readonly Component[] {
  return components.filter((component) => !isOurs(component));
}
