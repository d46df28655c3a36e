import type { LabelNode, TypeNode } from '../types/ast.ts';
import type { Position } from '../errors.ts';

/** A field of a written record or variant value. */
export interface FieldValueNode extends Position {
  readonly label: LabelNode;
  readonly value: ValueNode;
}

/** A Candid value as written, before it is fitted to a type. */
export type ValueNode =
  | (Position & { readonly kind: 'null' })
  | (Position & { readonly kind: 'bool'; readonly value: boolean })
  | (Position & { readonly kind: 'number'; readonly source: string })
  | (Position & { readonly kind: 'text' | 'blob'; readonly bytes: Uint8Array })
  | (Position & { readonly kind: 'principal' | 'service'; readonly id: string })
  | (Position & { readonly kind: 'func'; readonly id: string; readonly method: string })
  | (Position & { readonly kind: 'opt'; readonly inner: ValueNode })
  | (Position & { readonly kind: 'vec'; readonly items: readonly ValueNode[] })
  | (Position & { readonly kind: 'record'; readonly fields: readonly FieldValueNode[] })
  | (Position & { readonly kind: 'variant'; readonly field: FieldValueNode })
  | (Position & { readonly kind: 'typed'; readonly inner: ValueNode; readonly type: TypeNode });
