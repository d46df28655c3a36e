/** How the bytes of a blob are entered. */
export type BlobSource = 'hex' | 'text' | 'file';

/** A chosen file. */
export interface ChosenFile {
  readonly name: string;
  readonly size: number;
  /** Empty for one that is too large for a call, which is not read. */
  readonly bytes: Uint8Array;
}

/** One entry of a vec; `key` stays with it when others are removed. */
export interface ItemState {
  readonly key: number;
  readonly state: FieldState;
}

/** What has been entered for one type, before it is checked. Holds texts as typed, never library values. */
export type FieldState =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'fixed' }
  | { readonly kind: 'opt'; readonly some: boolean; readonly inner: FieldState | undefined }
  | { readonly kind: 'vec'; readonly items: readonly ItemState[] }
  | { readonly kind: 'fields'; readonly parts: readonly FieldState[] }
  | {
      readonly kind: 'variant';
      readonly choice: string;
      /** What was entered for each choice seen so far, so that switching back loses nothing. */
      readonly entered: ReadonlyMap<string, FieldState>;
    }
  | {
      readonly kind: 'blob';
      readonly source: BlobSource;
      readonly text: string;
      readonly file: ChosenFile | undefined;
    }
  | { readonly kind: 'func'; readonly canister: string; readonly method: string }
  /** A part not shown yet: recursive types and very large ones are opened on demand. */
  | { readonly kind: 'collapsed' };
