import { printValues } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import { Check, ChevronRight } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { bytesText } from '../../shown-texts.ts';
import { hexText } from '../../form/blob-bytes.ts';
import { readReply } from '../../reply/decode-reply.ts';
import { jsonText } from '../../reply/json.ts';
import { treeNode, type TreeNode } from '../../reply/tree-node.ts';
import { Segments } from '../caller/segments.tsx';
import { FoldedText } from './folded-text.tsx';

/** This many parts of one value are shown, and as many more with each press. */
const STEP = 100;
/** Parts open by themselves down to here, where there are few. */
const OPEN_DEPTH = 3;
const FEW = 20;

/** Values as trees: composite ones open and close. */
function ValueTree({ nodes }: { nodes: readonly TreeNode[] }) {
  return (
    <ul className="flex flex-col font-mono text-sm">
      {nodes.map((node, index) => (
        // The values of one reply never change places.
        // oxlint-disable-next-line react/no-array-index-key
        <Branch key={index} node={node} depth={0} />
      ))}
    </ul>
  );
}

function Branch({ node, depth }: { node: TreeNode; depth: number }) {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && node.size <= FEW);
  const [shown, setShown] = useState(STEP);
  const name = (
    <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">
      {node.label !== undefined && <span className="font-semibold">{`${node.label}: `}</span>}
      <span className={node.size > 0 ? 'text-muted' : undefined}>{node.text}</span>
    </span>
  );
  if (node.size === 0) return <li className="flex py-0.5 pl-5">{name}</li>;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-start gap-1 rounded-control py-0.5 text-left hover:bg-ink/6"
      >
        <ChevronRight
          aria-hidden="true"
          className={`mt-0.5 size-4 shrink-0 text-muted transition-transform duration-100 ${isOpen ? 'rotate-90' : ''}`}
        />
        {name}
      </button>
      {isOpen && (
        <ul className="ml-2 border-l border-line pl-2">
          {node.parts(0, shown).map((part, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Branch key={index} node={part} depth={depth + 1} />
          ))}
          {node.size > shown && (
            <li className="py-1 pl-5">
              <Button size="small" onClick={() => setShown(shown + STEP)}>
                {`Show more of ${node.size.toLocaleString('en-US')}`}
              </Button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

type View = 'text' | 'json' | 'tree' | 'hex';

const VIEWS: readonly { readonly value: View; readonly label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'json', label: 'JSON' },
  { value: 'tree', label: 'Tree' },
  { value: 'hex', label: 'Hex' },
];

/** A reply of more values begins as a tree. */
const MANY_VALUES = 20_000;

const COPY_LABELS: Readonly<Record<View, string>> = {
  text: 'Copy reply',
  json: 'Copy reply as JSON',
  tree: 'Copy reply as JSON',
  hex: 'Copy reply as hex',
};

interface ReplyViewProps {
  /** The reply as encoded Candid. */
  readonly bytes: Uint8Array;
  /** The types it has by the interface. */
  readonly types: readonly IDL.Type[];
  /** What the call took. */
  readonly measures: ReactNode;
}

/** A reply, to be read as Candid text, as JSON, as a tree or as bytes, and copied in the same way. */
export function ReplyView({ bytes, types, measures }: ReplyViewProps) {
  const [chosen, setView] = useState<View>();
  const reply = useMemo(() => read(types, bytes), [types, bytes]);
  const values = reply?.values;
  // A reply of very many values is a tree, which is made as far as it is open, until another view is asked for.
  const usual = reply !== undefined && reply.count > MANY_VALUES ? 'tree' : 'text';
  // A reply kept from before the interface changed may only be read as bytes.
  const view = values === undefined ? 'hex' : (chosen ?? usual);
  const textOf = useCallback((): string => {
    if (values === undefined || view === 'hex') return hexText(bytes);
    return view === 'text' ? printValues(types, values) : jsonText(types, values);
  }, [values, view, types, bytes]);
  const text = useMemo(() => (view === 'tree' ? '' : textOf()), [view, textOf]);
  return (
    <div className="overflow-hidden rounded-control border border-line bg-sunken">
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1 pr-1 pl-3 text-sm">
        <Check className="size-4 text-ok" aria-hidden="true" />
        <span className="font-medium">Reply</span>
        {measures}
        <span className="text-muted">{bytesText(bytes.length)}</span>
        <span className="ml-auto flex items-center gap-1">
          {values !== undefined && (
            <Segments legend="How the reply is shown" options={VIEWS} value={view} onChange={setView} />
          )}
          <CopyButton text={textOf} label={COPY_LABELS[view]} />
        </span>
      </div>
      {view === 'tree' && values !== undefined ? (
        <div role="group" aria-label="Reply" className="max-h-140 overflow-auto px-2 py-2">
          {types.length === 0 && <p className="px-1 text-sm text-muted">No values.</p>}
          <ValueTree
            nodes={types.map((type, index) =>
              treeNode(type, values[index], types.length === 1 ? undefined : String(index)),
            )}
          />
        </div>
      ) : (
        <FoldedText label="Reply" text={text} />
      )}
    </div>
  );
}

function read(types: readonly IDL.Type[], bytes: Uint8Array): ReturnType<typeof readReply> | undefined {
  try {
    return readReply(types, bytes);
  } catch {
    return undefined;
  }
}
