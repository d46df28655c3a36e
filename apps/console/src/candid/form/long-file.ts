import type { FieldState } from './field-state.ts';

/** A blob of this many bytes is too long to be read as text. */
const LONG = 64 * 1024;

/** Whether a form holds a file too long to be shown as text. */
export function hasLongFile(states: readonly FieldState[]): boolean {
  return states.some((state) => {
    switch (state.kind) {
      case 'blob':
        return state.source === 'file' && (state.file?.bytes.length ?? 0) > LONG;
      case 'opt':
        return state.some && state.inner !== undefined && hasLongFile([state.inner]);
      case 'vec':
        return hasLongFile(state.items.map((item) => item.state));
      case 'fields':
        return hasLongFile(state.parts);
      case 'variant': {
        const chosen = state.entered.get(state.choice);
        return chosen !== undefined && hasLongFile([chosen]);
      }
      default:
        return false;
    }
  });
}
