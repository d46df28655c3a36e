import { formatType, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Button } from '../../components/ui/button.tsx';
import { initialState } from '../form/initial-state.ts';
import { BlobInput } from './blob-input.tsx';
import { FieldsInput } from './fields-input.tsx';
import { Group } from './labelled.tsx';
import { BoolInput, FuncInput, TextInput } from './leaf-input.tsx';
import { OptInput } from './opt-input.tsx';
import { OwnPrincipalButton, RandomButton } from './part-tools.tsx';
import type { CompositeProps, PartProps } from './part.ts';
import { VariantInput } from './variant-input.tsx';
import { VecInput } from './vec-input.tsx';

/** The input of a value of any Candid type. */
export function TypeInput(props: PartProps) {
  const { state, type, errors, typeNames } = props;
  const renderPart: CompositeProps<typeof state>['renderPart'] = (part) => (
    <TypeInput
      {...part}
      typeText={formatType(part.type, typeNames, true)}
      tools={<RandomButton label={part.label} type={part.type} onChange={part.onChange} />}
      errors={errors}
      typeNames={typeNames}
    />
  );
  switch (state.kind) {
    case 'text':
      return <TextInput {...props} state={state} tools={<TextTools {...props} />} />;
    case 'bool':
      return <BoolInput {...props} state={state} />;
    case 'blob':
      return <BlobInput {...props} state={state} />;
    case 'func':
      return <FuncInput {...props} state={state} />;
    case 'opt':
      return <OptInput {...props} state={state} renderPart={renderPart} />;
    case 'vec':
      return <VecInput {...props} state={state} renderPart={renderPart} />;
    case 'fields':
      return <FieldsInput {...props} state={state} renderPart={renderPart} />;
    case 'variant':
      return <VariantInput {...props} state={state} renderPart={renderPart} />;
    case 'fixed':
      return <Group label={props.label} typeText={props.typeText} />;
    case 'collapsed':
      return (
        <Group
          label={props.label}
          typeText={props.typeText}
          error={errors.get(props.path)}
          actions={
            <Button
              size="small"
              aria-label={`Open ${props.label}`}
              onClick={() => props.onChange(initialState(type))}
            >
              Open
            </Button>
          }
        />
      );
  }
}

/** The tools of an input, and for a principal the user's own. */
function TextTools({ tools, type, label, onChange }: PartProps) {
  if (!(unwrap(type) instanceof IDL.PrincipalClass)) return tools;
  return (
    <>
      {tools}
      <OwnPrincipalButton label={label} onPrincipal={(text) => onChange({ kind: 'text', text })} />
    </>
  );
}
