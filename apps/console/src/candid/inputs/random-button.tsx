import { Shuffle } from 'lucide-react';
import type { IDL } from '@icp-sdk/core/candid';
import { IconButton } from '../../components/ui/icon-button.tsx';
import type { FieldState } from '../form/field-state.ts';
import { randomState } from '../form/random-state.ts';

interface RandomButtonProps {
  readonly label: string;
  readonly type: IDL.Type;
  readonly onChange: (next: FieldState) => void;
}

/** Fills one input, with all it holds, at random. */
export function RandomButton({ label, type, onChange }: RandomButtonProps) {
  return (
    <IconButton
      size="small"
      label={`Random value for ${label}`}
      className="ml-auto"
      onClick={() => onChange(randomState(type))}
    >
      <Shuffle className="size-3.5" aria-hidden="true" />
    </IconButton>
  );
}
