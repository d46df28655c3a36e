import { Example } from './example.tsx';
import { ButtonBusy } from './examples/button-busy.tsx';
import { ButtonIcons } from './examples/button-icons.tsx';
import { ButtonLink } from './examples/button-link.tsx';
import { ButtonLooks } from './examples/button-looks.tsx';
import { ButtonSizes } from './examples/button-sizes.tsx';
import { TypeColours } from './examples/type-colours.tsx';
import { TypeMono } from './examples/type-mono.tsx';
import { TypeSizes } from './examples/type-sizes.tsx';

/** The files of the examples, as they are. */
const typeSources = import.meta.glob<string>('./examples/type-*.tsx', {
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
        source={typeSources['./examples/type-sizes.tsx']}
      >
        <TypeSizes />
      </Example>
      <Example
        id="colours"
        title={titles.colours}
        text="Every colour has enough contrast on every surface, in all four themes."
        source={typeSources['./examples/type-colours.tsx']}
      >
        <TypeColours />
      </Example>
      <Example
        id="mono"
        title={titles.mono}
        text="An id is shown in full where there is room, with a button that copies it."
        source={typeSources['./examples/type-mono.tsx']}
      >
        <TypeMono />
      </Example>
    </>
  );
}

/** The files of the examples, as they are. */
const buttonSources = import.meta.glob<string>('./examples/button-*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const buttonHeadings = {
  looks: 'Looks',
  sizes: 'Sizes',
  busy: 'While it works',
  icons: 'Icons alone',
  links: 'Links that look like buttons',
} as const;

/** The buttons of the console. */
export function ButtonsPage() {
  const titles = buttonHeadings;
  return (
    <>
      <p className="text-pretty">
        A button does something, a link leads somewhere. On phones both are at least 44 px high.
      </p>
      <Example
        id="looks"
        title={titles.looks}
        text="Primary for the one thing a screen is for, secondary for the rest, ghost where a border would be noise, danger where something is lost."
        source={buttonSources['./examples/button-looks.tsx']}
      >
        <ButtonLooks />
      </Example>
      <Example
        id="sizes"
        title={titles.sizes}
        text="Two sizes, with or without an icon."
        source={buttonSources['./examples/button-sizes.tsx']}
      >
        <ButtonSizes />
      </Example>
      <Example
        id="busy"
        title={titles.busy}
        text="A busy button keeps its width and cannot be pressed again."
        source={buttonSources['./examples/button-busy.tsx']}
      >
        <ButtonBusy />
      </Example>
      <Example
        id="icons"
        title={titles.icons}
        text="A button without text has a label all the same."
        source={buttonSources['./examples/button-icons.tsx']}
      >
        <ButtonIcons />
      </Example>
      <Example
        id="links"
        title={titles.links}
        text="The same look for a link, so that it can be opened in another tab."
        source={buttonSources['./examples/button-link.tsx']}
      >
        <ButtonLink />
      </Example>
    </>
  );
}
