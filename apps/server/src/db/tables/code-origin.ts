/** A run as its deploy counts it, and what it was built from. */
export interface RunMark {
  readonly runId: string;
  /** From 1. */
  readonly number: number;
  /** The whole id of the commit; null where it is not known. */
  readonly commit: string | null;
}

/** What was put in, by its bytes alone; absent where nobody looked into it. */
interface CodeFacts {
  /** Whether it answers HTTP: it exports the query `http_request`. */
  readonly servesHttp?: boolean;
}

/** Where the code of a canister came from, as it was when the code was put in. It is written down then, and never found out later. */
export type CodeOrigin = Source & CodeFacts;

type Source =
  | {
      readonly kind: 'dapp';
      readonly dappId: string;
      /** The row of `dapp_versions`. */
      readonly versionId: string;
      readonly name: string;
      readonly version: string;
      /** Username of the uploader. */
      readonly publisher: string;
    }
  | {
      readonly kind: 'registry';
      readonly registryId: string;
      readonly name: string;
      readonly version: number;
    }
  /** A run of a deploy. */
  | ({
      readonly kind: 'run';
      readonly deployId: string;
      readonly name: string;
      /** The id, at the embedded git host, of the repository that it was built from; null for one elsewhere. */
      readonly repositoryId?: string | null;
      /** The run that has last put the files of a website into this code. */
      readonly filledBy?: RunMark;
      // Absent in what was written down before runs had numbers.
    } & Pick<RunMark, 'runId'> &
      Partial<RunMark>)
  /** A module that the user has uploaded. */
  | { readonly kind: 'file' }
  /** No code. */
  | { readonly kind: 'empty' }
  /** Nobody has said it when the code was put in. */
  | { readonly kind: 'unknown' };
