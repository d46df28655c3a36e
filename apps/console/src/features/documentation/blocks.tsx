import type { Block, Inline } from '@cannery/guide';
import { Link as LinkIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ChapterModule } from 'virtual:guide/contents';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Inlines } from './inlines.tsx';

interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
}

/** Code or commands, with a button that copies them. Long lines scroll, also by keyboard. */
export function CodeBlock({ text, label }: CodeBlockProps) {
  return (
    <div className="flex items-start gap-2 rounded-card border border-line bg-sunken pr-2">
      <pre
        role="group"
        aria-label={label}
        // Whoever has no mouse scrolls it with the arrow keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto rounded-card px-4 py-3 font-mono text-sm outline-offset-[-2px]"
      >
        {text}
      </pre>
      <span className="py-2">
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </span>
    </div>
  );
}

interface BlocksProps {
  readonly blocks: readonly Block[];
  readonly pictures: ChapterModule['pictures'];
}

interface HeadingProps {
  readonly level: number;
  readonly id: string;
  readonly children: ReactNode;
}

/** A heading whose anchor shows beside it. */
export function Heading({ level, id, children }: HeadingProps) {
  const Tag = level <= 2 ? 'h2' : 'h3';
  return (
    <Tag
      id={id}
      className={`group scroll-mt-20 font-semibold tracking-tight ${level <= 2 ? 'mt-6 text-xl' : 'mt-3 text-lg'}`}
    >
      {children}
      <a
        href={`#${id}`}
        aria-label="Link to this heading"
        data-tip=""
        className="ml-2 inline-grid size-6 place-items-center rounded-control align-middle text-muted opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        <LinkIcon className="size-3.5" aria-hidden="true" />
      </a>
    </Tag>
  );
}

function Table({ head, rows, cell }: TableProps) {
  return (
    <div
      role="group"
      aria-label="Table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="bg-sunken text-left">
          <tr>
            {head.map((inlines, index) => (
              <th key={index} scope="col" className="px-3 py-2 font-medium">
                {cell(inlines)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line} className="border-t border-line align-top">
              {row.map((inlines, index) => (
                <td key={index} className="px-3 py-2 text-pretty">
                  {cell(inlines)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TableProps {
  readonly head: readonly (readonly Inline[])[];
  readonly rows: readonly (readonly (readonly Inline[])[])[];
  readonly cell: (inlines: readonly Inline[]) => ReactNode;
}

const codeLabels: Readonly<Record<string, string>> = { sh: 'Commands', motoko: 'Motoko', json5: 'Rules' };

/** The parts of a chapter, as the console shows them. */
export function Blocks({ blocks, pictures }: BlocksProps) {
  const inlinesOf = (inlines: readonly Inline[]) => <Inlines inlines={inlines} pictures={pictures} />;
  return blocks.map((block, index) => {
    switch (block.type) {
      case 'heading':
        return (
          <Heading key={index} level={block.level} id={block.id}>
            {inlinesOf(block.children)}
          </Heading>
        );
      case 'paragraph':
        return (
          <p key={index} className="text-pretty">
            {inlinesOf(block.children)}
          </p>
        );
      case 'code':
        return <CodeBlock key={index} text={block.text} label={codeLabels[block.language] ?? 'Code'} />;
      case 'quote':
        return (
          <div
            key={index}
            className="flex flex-col gap-2 rounded-card border border-info/40 bg-info-soft px-4 py-3"
          >
            <Blocks blocks={block.blocks} pictures={pictures} />
          </div>
        );
      case 'list': {
        const Tag = block.ordered ? 'ol' : 'ul';
        return (
          <Tag
            key={index}
            className={`flex flex-col gap-2 pl-6 marker:text-muted ${block.ordered ? 'list-decimal' : 'list-disc'}`}
          >
            {block.items.map((item, at) => (
              <li key={at} className="pl-1 [&>*+*]:mt-2">
                <Blocks blocks={item} pictures={pictures} />
              </li>
            ))}
          </Tag>
        );
      }
      case 'table':
        return <Table key={index} head={block.head} rows={block.rows} cell={inlinesOf} />;
    }
  });
}
