import type { Block, Chapter, Inline } from '@cannery/guide';

/** A name or value in a step, as the text marks it: bold is what the screen shows, code is what is typed or shown. */
export interface Mark {
  readonly kind: 'shown' | 'typed';
  readonly text: string;
}

/** One thing to do or to see. `#0` in the words stands for the first mark. */
export interface Clause {
  readonly words: string;
  readonly marks: readonly Mark[];
}

/** A part of a numbered step: what it says, or the commands below it. */
export type StepPart =
  | { readonly clauses: readonly Clause[] }
  | { readonly commands: string }
  /** The file of a picture of the screen at that moment. */
  | { readonly picture: string };

/** With what an instruction begins. A sentence that begins otherwise and marks nothing is a remark. */
const VERBS =
  'press|type|choose|open|close|wait|run|stop|start|you see|the reply|in the new tab|beside|when git asks';
/** After a sign that ends a sentence, or after a mark that has it inside. */
const SENTENCE_END = /(?<=[.:!])\s+|(?<=#\d+)\s+(?=[A-Z])/;
const CLAUSE_END = new RegExp(`(?:,\\s+(?:and\\s+|then\\s+)?|\\s+and\\s+|;\\s+)(?=(?:${VERBS})\\b)`, 'i');
const INSTRUCTION = new RegExp(`^(?:${VERBS})\\b`, 'i');

function flat(inlines: readonly Inline[], marks: Mark[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'text') return inline.text;
      if (inline.type === 'code') return `#${marks.push({ kind: 'typed', text: inline.text }) - 1}`;
      if (inline.type === 'strong') {
        const text = inline.children.map((child) => ('text' in child ? child.text : '')).join('');
        return `#${marks.push({ kind: 'shown', text }) - 1}`;
      }
      return 'children' in inline ? flat(inline.children, marks) : ' ';
    })
    .join('');
}

function clausesOf(inlines: readonly Inline[]): Clause[] {
  const marks: Mark[] = [];
  return flat(inlines, marks)
    .split(SENTENCE_END)
    .flatMap((sentence) => sentence.split(CLAUSE_END))
    .map((words) => words.replace(/[.:!]$/, '').trim())
    .filter((words) => words.includes('#') || INSTRUCTION.test(words))
    .map((words) => ({ words, marks }));
}

function picturesOf(block: Block): StepPart[] {
  if (block.type !== 'paragraph') return [];
  return block.children.flatMap((inline) => (inline.type === 'image' ? [{ picture: inline.src }] : []));
}

/** What the numbered steps of a chapter say, in their order, and the pictures between them. */
export function stepsOf(blocks: readonly Block[]): StepPart[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'list' || !block.ordered) return picturesOf(block);
    return block.items.flat().flatMap((part): StepPart | StepPart[] => {
      const pictures = picturesOf(part);
      if (pictures.length > 0) return pictures;
      if (part.type === 'paragraph') return { clauses: clausesOf(part.children) };
      if (part.type === 'code' && part.language === 'sh') return { commands: part.text };
      throw new Error(`A step has a ${part.type}, which nobody can follow.`);
    });
  });
}

/** The chapters that one says are needed first: the links of its paragraph that begins with 'You need'. */
export function neededFirst({ blocks }: Chapter): string[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'paragraph') return [];
    const [first] = block.children;
    if (first?.type !== 'text' || !first.text.startsWith('You need')) return [];
    return block.children.flatMap((inline) =>
      inline.type === 'link' && inline.href.endsWith('.md') ? [inline.href.replace(/\.md$/, '')] : [],
    );
  });
}
