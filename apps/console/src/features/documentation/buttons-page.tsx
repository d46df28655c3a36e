import { Example } from './example.tsx';
import { ButtonBusy } from './examples/button-busy.tsx';
import { ButtonIcons } from './examples/button-icons.tsx';
import { ButtonLink } from './examples/button-link.tsx';
import { ButtonLooks } from './examples/button-looks.tsx';
import { ButtonSizes } from './examples/button-sizes.tsx';

/** The files of the examples, as they are. */
const sources = import.meta.glob<string>('./examples/button-*.tsx', {
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
        source={sources['./examples/button-looks.tsx']}
      >
        <ButtonLooks />
      </Example>
      <Example
        id="sizes"
        title={titles.sizes}
        text="Two sizes, with or without an icon."
        source={sources['./examples/button-sizes.tsx']}
      >
        <ButtonSizes />
      </Example>
      <Example
        id="busy"
        title={titles.busy}
        text="A busy button keeps its width and cannot be pressed again."
        source={sources['./examples/button-busy.tsx']}
      >
        <ButtonBusy />
      </Example>
      <Example
        id="icons"
        title={titles.icons}
        text="A button without text has a label all the same."
        source={sources['./examples/button-icons.tsx']}
      >
        <ButtonIcons />
      </Example>
      <Example
        id="links"
        title={titles.links}
        text="The same look for a link, so that it can be opened in another tab."
        source={sources['./examples/button-link.tsx']}
      >
        <ButtonLink />
      </Example>
    </>
  );
}
