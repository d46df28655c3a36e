import type { Bindings } from '@cannery/candid/bindings';
import type { Declarations } from '../project/plan.ts';

/** A canister whose bindings are written. */
export interface Declared {
  readonly name: string;
  readonly candid: string;
  readonly bindings: Bindings;
  readonly declarations: Declarations;
  /** Package of the agent that the project has. */
  readonly agentPackage: string;
}

/** Files of a canister's bindings, by their names in the folder; the names and exports are those of dfx. */
export function declarationFiles({
  name,
  candid,
  bindings,
  declarations,
  agentPackage,
}: Declared): ReadonlyMap<string, string> {
  const variable = name.replace(/[^\w$]/g, '_');
  const id = declarations.idOverride ?? idExpression(name);
  return new Map([
    [`${name}.did`, candid],
    ['service.did', candid],
    [`${name}.did.js`, bindings.js],
    ['service.did.js', bindings.js],
    [`${name}.did.d.ts`, bindings.ts],
    ['service.did.d.ts', bindings.ts],
    ['index.js', indexModule({ name, variable, id, agentPackage })],
    ['index.d.ts', indexTypes({ name, variable, agentPackage })],
  ]);
}

/** Bundlers put the values of variables in place of these very texts. */
function idExpression(name: string): string {
  const upper = name.toUpperCase().replaceAll('-', '_').replace(/\W/g, '_');
  return `process.env.CANISTER_ID_${upper} || process.env.${upper}_CANISTER_ID`;
}

interface IndexParts {
  readonly name: string;
  readonly variable: string;
  readonly agentPackage: string;
}

function indexModule({ name, variable, id, agentPackage }: IndexParts & { readonly id: string }): string {
  return `import { Actor, HttpAgent } from '${agentPackage}';
import { idlFactory } from './${name}.did.js';

export { idlFactory };

export const canisterId = ${id};

export const createActor = (canisterId, options = {}) => {
  const agent = options.agent || new HttpAgent({ ...options.agentOptions });
  if (options.agent && options.agentOptions) {
    console.warn('Both agent and agentOptions were given to createActor; agentOptions are ignored.');
  }
  // Only the root key of the real network is built into the agent.
  if (process.env.DFX_NETWORK !== 'ic') {
    agent.fetchRootKey().catch((error) => {
      console.warn('The root key of the local network could not be fetched.', error);
    });
  }
  return Actor.createActor(idlFactory, { agent, canisterId, ...options.actorOptions });
};

export const ${variable} = canisterId ? createActor(canisterId) : undefined;
`;
}

function indexTypes({ name, variable, agentPackage }: IndexParts): string {
  const principalPackage = agentPackage.replace(/agent$/, 'principal');
  const candidPackage = agentPackage.replace(/agent$/, 'candid');
  return `import type { ActorConfig, ActorSubclass, Agent, HttpAgentOptions } from '${agentPackage}';
import type { IDL } from '${candidPackage}';
import type { Principal } from '${principalPackage}';
import type { _SERVICE } from './${name}.did';

export declare const idlFactory: IDL.InterfaceFactory;
export declare const canisterId: string;

export declare interface CreateActorOptions {
  agent?: Agent;
  agentOptions?: HttpAgentOptions;
  actorOptions?: ActorConfig;
}

export declare const createActor: (
  canisterId: string | Principal,
  options?: CreateActorOptions,
) => ActorSubclass<_SERVICE>;

export declare const ${variable}: ActorSubclass<_SERVICE>;
`;
}
