import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** What the console and the Candid page must know of their surroundings; no secret is in it. */
export const publicConfig = z.object({
  product_name: z.string(),
  /** Address browsers use for the IC HTTP interface. */
  network_url: z.string(),
  /** True when that network's root key may be fetched from it (any network but mainnet). */
  network_is_local: z.boolean(),
  /** True when the network is the one that the service brings along; absent or false with every other. */
  embedded_network: z.boolean().optional(),
  /** True when the cycles of a deleted canister come back to the account; false where they vanish with it. */
  delete_returns_cycles: z.boolean(),
  /** What a new canister costs, in cycles as decimal text. */
  canister_create_cost: z.string().optional(),
  /** `{canisterId}` stands for the id, as in `http://{canisterId}.localhost:4943/`. */
  canister_url_pattern: z.string(),
  /** `{name}` stands for the name of a site; null or absent where sites have none, as with a network elsewhere. */
  site_name_pattern: z.string().nullable().optional(),
  candid_url_pattern: z.string(),
  git_provider: z.object({
    name: z.string(),
    /** `{owner}`, `{repo}`, `{branch}` stand for the values. */
    account_url_pattern: z.string(),
    repository_url_pattern: z.string(),
    tree_url_pattern: z.string(),
    /** Address that git clones from and pushes to; its origin tells the provider's own repositories. */
    clone_url_pattern: z.string(),
    install_url: z.string(),
    /** True for the git host that ships with the product: templates and access tokens are offered. */
    embedded: z.boolean(),
  }),
  support_url: z.string(),
  sign_in: z.object({
    provider: z.string(),
    embedded: z.boolean(),
    /** The page of Internet Identity, and the address of the console that it signs in at; absent where it signs nobody in here. */
    internet_identity: z.object({ address: z.string(), origin: z.string() }).optional(),
  }),
  /** True when the sample products are there to be called; absent where a service does not know of them. */
  sample_products: z.boolean().optional(),
  /** True when there is a sample module to install; absent where a service does not know of it. */
  sample_module: z.boolean().optional(),
  /** Whether installations take the header `Code-Origin`. */
  code_origins: z.boolean().optional(),
  /** Whether pictures are taken of what canisters serve; absent where a service knows none. */
  pictures: z.boolean().optional(),
  /** The Rust that compiles canisters, and whether it does so for WebAssembly; null where there is none. */
  rust: z.object({ version: z.string(), wasm_target: z.boolean() }).nullable().optional(),
  /** Set when the server runs with less protection than it should; shown as a banner. */
  warnings: z.array(z.string()),
});
export type PublicConfig = z.infer<typeof publicConfig>;

export const health = z.object({
  status: z.enum(['ok', 'degraded']),
  database: z.boolean(),
  network: z.boolean(),
  worker: z.boolean(),
  /** Whether there is room where the server keeps its things. */
  disk: z.boolean(),
});

export const settingsEndpoints = {
  config: endpoint({
    method: 'GET',
    path: '/config',
    summary: 'Addresses and names the console needs',
    signedIn: false,
    response: publicConfig,
  }),
  health: endpoint({
    method: 'GET',
    path: '/health',
    summary: '200 when database, network and worker are up and the disk has room, else 503',
    signedIn: false,
    response: health,
  }),
};
