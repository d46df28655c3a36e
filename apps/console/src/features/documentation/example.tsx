import type { ReactNode } from 'react';
import { CodeBlock, Heading } from './blocks.tsx';

interface ExampleProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The file that draws `children`. */
  readonly source: string | undefined;
  readonly children: ReactNode;
}

/** A part of the console at work, and the very file that draws it. */
export function Example({ id, title, text, source, children }: ExampleProps) {
  return (
    <>
      <Heading level={2} id={id}>
        {title}
      </Heading>
      <p className="text-pretty">{text}</p>
      <div className="overflow-x-auto rounded-card border border-line bg-surface p-5">{children}</div>
      {source !== undefined && <CodeBlock text={source.trimEnd()} label={`Code of ${title.toLowerCase()}`} />}
    </>
  );
}
