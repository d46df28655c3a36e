import { hex, utf8 } from '@cannery/ic/certification/bytes';
import { certificateFrom, Certifier } from '@cannery/ic/certification/certifier';
import type { NetworkKeys } from '@cannery/ic/certification/signatures/keys';
import type { RootSigner } from '@cannery/ic/certification/signatures/signer';
import { StateTree } from '@cannery/ic/certification/tree/state-tree';
import { subnetDirectory } from '@cannery/ic/certification/tree/subnet-leaves';
import { getPath } from '@cannery/ic/certification/tree/tree-directory';
import type { Engine, QueryMessage, QueryOutcome } from '@cannery/replica/messages';
import type { Outcome } from '@cannery/ic/state-leaves';
import { badRequest } from '../transport/request-error.ts';
import { StillCanisters } from './still-canisters.ts';

interface DataCertificate {
  readonly certificate: Uint8Array;
  readonly certifiedData: Uint8Array;
  readonly timeNanos: bigint;
}

/** A data certificate is handed out again for this long; clients accept certificates up to five minutes old. */
const REUSE_NANOS = 30_000_000_000n;
const MAX_REMEMBERED = 1000;
/** A canister that is held still can only be changed by its controllers, who would have to do it all this time. */
const PATIENCE_MILLIS = 10_000;

/** Runs queries, and gives those that ask for it the certificate of their canister's certified data. */
export class CertifiedQueries {
  readonly #engine: Engine;
  readonly #still: StillCanisters<DataCertificate | undefined>;
  readonly #certifier: Certifier;
  readonly #now: () => bigint;
  readonly #byCanister = new Map<string, DataCertificate>();

  constructor(engine: Engine, certifier: Certifier, now: () => bigint) {
    this.#engine = engine;
    this.#still = new StillCanisters(engine, (canisterId) => this.#issue(canisterId));
    this.#certifier = certifier;
    this.#now = now;
  }

  /** Throws `RequestError` 400 when a query to the management canister was sent to the wrong address. */
  async run(message: Omit<QueryMessage, 'dataCertificate'>): Promise<QueryOutcome> {
    const { canisterId } = message;
    const ask = async (dataCertificate: DataCertificate | undefined): Promise<QueryOutcome | undefined> => {
      const result = await this.#engine.query({ ...message, dataCertificate });
      if (result.status === 'malformed') throw badRequest(result.message);
      return result.status === 'stale-certificate' ? undefined : result;
    };
    const deadline = performance.now() + PATIENCE_MILLIS;
    let outcome = (await ask(this.#cached(canisterId))) ?? (await ask(await this.#issue(canisterId)));
    // It changes faster than it can be certified.
    while (!outcome && performance.now() < deadline) outcome = await this.#still.during(canisterId, ask);
    return outcome ?? STILL_CHANGING;
  }

  #cached(canisterId: Uint8Array): DataCertificate | undefined {
    const known = this.#byCanister.get(hex(canisterId));
    return known && this.#now() - known.timeNanos < REUSE_NANOS ? known : undefined;
  }

  async #issue(canisterId: Uint8Array): Promise<DataCertificate | undefined> {
    const signed = await this.#certifier.signedState();
    const path = [utf8('canister'), canisterId, utf8('certified_data')];
    const certified = getPath(signed.root, path);
    if (certified?.kind !== 'leaf') return undefined;
    const certifiedData = certified.value;
    const certificate = certificateFrom(signed, [path]);
    const issued = { certificate, certifiedData, timeNanos: signed.timeNanos };
    this.#byCanister.set(hex(canisterId), issued);
    const oldest = this.#byCanister.keys().next().value;
    if (this.#byCanister.size > MAX_REMEMBERED && oldest !== undefined) this.#byCanister.delete(oldest);
    return issued;
  }
}

const STILL_CHANGING: Outcome = {
  status: 'rejected',
  rejectCode: 2,
  errorCode: 'IC0208',
  message: 'The certified data of the canister changes faster than it can be certified; try again.',
};

/** The state of an engine as clients see it, with what certifies it. */
interface CertifiedState {
  readonly state: StateTree;
  readonly certifier: Certifier;
  readonly queries: CertifiedQueries;
}

/**
 * Follows the state of an engine; resolves once all of it is there. `now` is the network's Unix time in nanoseconds,
 * `believedNow` the one by which requests are forgotten.
 */
export async function certifiedState(
  engine: Engine,
  keys: NetworkKeys,
  signer: RootSigner,
  now: () => bigint,
  believedNow: () => bigint = now,
): Promise<CertifiedState> {
  const state = new StateTree(subnetDirectory(keys), keys.subnetId);
  const loaded = state.changed();
  engine.subscribe((delta) => state.apply(delta, believedNow()));
  await loaded;
  const certifier = new Certifier(state, signer, now);
  return { state, certifier, queries: new CertifiedQueries(engine, certifier, now) };
}
