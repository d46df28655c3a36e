import { Example } from './example.tsx';
import { TypeColours } from './examples/type-colours.tsx';
import { TypeMono } from './examples/type-mono.tsx';
import { TypeSizes } from './examples/type-sizes.tsx';

/** The files of the examples, as they are. */
const sources = import.meta.glob<string>('./examples/type-*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const typographyHeadings = {
  sizes: 'Text sizes',
  colours: 'Colours of text',
  mono: 'Ids and numbers',
} as const;

/** The type of the console. */
export function TypographyPage() {
  const titles = typographyHeadings;
  return (
    <>
      <p className="text-pretty">
        Instrument Sans for the interface, JetBrains Mono for ids and code. Both come with the console: no
        page asks another host for a font.
      </p>
      <Example
        id="sizes"
        title={titles.sizes}
        text="Six sizes are enough. Headings are short."
        source={sources['./examples/type-sizes.tsx']}
      >
        <TypeSizes />
      </Example>
      <Example
        id="colours"
        title={titles.colours}
        text="Every colour has enough contrast on every surface, in all four themes."
        source={sources['./examples/type-colours.tsx']}
      >
        <TypeColours />
      </Example>
      <Example
        id="mono"
        title={titles.mono}
        text="An id is shown in full where there is room, with a button that copies it."
        source={sources['./examples/type-mono.tsx']}
      >
        <TypeMono />
      </Example>
    </>
  );
}
