import type { OutcallPolicy } from '../../state/outcall.ts';
import type { SubnetRecord } from '../../state/subnet-state.ts';

/** See `EngineConfiguration`. */
interface OutcallSettings {
  readonly httpOutcalls?: OutcallPolicy;
  readonly outcallSwitch?: boolean;
}

/**
 * Which HTTP requests canisters may make now: what the network was started with, unless somebody has switched that since. What was
 * switched is kept with the state, and counts only where the network is started with a switch.
 */
export class OutcallSwitch {
  readonly #configured: OutcallPolicy;
  readonly #record: Pick<SubnetRecord, 'outcallsOn'>;
  readonly isThere: boolean;

  constructor(
    { httpOutcalls = 'off', outcallSwitch = false }: OutcallSettings,
    record: Pick<SubnetRecord, 'outcallsOn'>,
  ) {
    this.#configured = httpOutcalls;
    this.isThere = outcallSwitch && httpOutcalls !== 'mocked';
    this.#record = record;
  }

  /** Switches it as part of a commit. */
  static turn(
    { state }: { readonly state: { readonly record: Pick<SubnetRecord, 'outcallsOn'> } },
    on: boolean,
  ): void {
    state.record.outcallsOn = on;
  }

  get policy(): OutcallPolicy {
    const { outcallsOn } = this.#record;
    if (!this.isThere || outcallsOn === undefined) return this.#configured;
    return outcallsOn ? this.whenOn : 'off';
  }

  /** What canisters may do while it is on; requests that were accepted are carried out by it also when it has been switched off since. */
  get whenOn(): OutcallPolicy {
    return this.#configured === 'off' ? 'https' : this.#configured;
  }
}
