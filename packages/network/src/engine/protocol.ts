import type { InstructionLimits } from '../limits.ts';
import type { Admission, IngressMessage, QueryMessage, QueryResult, StateDelta } from '../messages.ts';

/** What the thread needs to start; survives a structured clone. */
export interface EngineConfiguration {
  /** Folder of the durable store; created when missing, owned by one engine at a time. */
  readonly dataDir: string;
  readonly rootKeyDer: Uint8Array;
  readonly subnetId: Uint8Array;
  /** Weighted instructions a message may use; mainnet's limits where not given. */
  readonly instructionLimits?: Partial<InstructionLimits>;
  /** Bytes of heap and stable memory to keep loaded; 1 GiB where not given. */
  readonly loadedBytes?: number;
}

/** Main thread to engine thread. Requests with an `id` are answered under that number. */
export type HostMessage =
  | { readonly type: 'submit'; readonly id: number; readonly message: IngressMessage }
  | { readonly type: 'query'; readonly id: number; readonly message: QueryMessage }
  | { readonly type: 'subscribe'; readonly subscription: number }
  | { readonly type: 'close'; readonly id: number };

/** Engine thread to main thread. */
export type EngineMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly id: number; readonly value: Admission | QueryResult | undefined }
  | { readonly type: 'failed'; readonly id?: number; readonly reason: string }
  | { readonly type: 'delta'; readonly delta: StateDelta }
  | { readonly type: 'snapshot'; readonly delta: StateDelta; readonly subscription: number };
