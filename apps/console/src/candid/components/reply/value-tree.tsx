import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import type { TreeNode } from '../../reply/tree-node.ts';

/** This many parts of one value are shown, and as many more with each press. */
const STEP = 100;
/** Parts open by themselves down to here, where there are few. */
const OPEN_DEPTH = 3;
const FEW = 20;

/** Values as trees: composite ones open and close. */
export function ValueTree({ nodes }: { nodes: readonly TreeNode[] }) {
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
