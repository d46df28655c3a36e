import { Example } from '../../../features/documentation/example.tsx';
import { SidebarNarrow } from './sidebar-narrow.tsx';
import { SidebarWide } from './sidebar-wide.tsx';

/** The files of the examples, as they are. */
const sources = import.meta.glob<string>('./sidebar-*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const sidebarHeadings = { wide: 'Open', narrow: 'Collapsed' } as const;

/** The menu beside every page. */
export function SidebarPage() {
  return (
    <>
      <p className="text-pretty">
        The sidebar is 240 px wide, or 85 px collapsed. On phones it lies over the page until an entry is
        chosen.
      </p>
      <Example
        id="wide"
        title={sidebarHeadings.wide}
        text="An entry leads somewhere, opens its children, or says that it is still to come."
        source={sources['./sidebar-wide.tsx']}
      >
        <SidebarWide />
      </Example>
      <Example
        id="narrow"
        title={sidebarHeadings.narrow}
        text="The words stay below the icons, so that nobody has to guess."
        source={sources['./sidebar-narrow.tsx']}
      >
        <SidebarNarrow />
      </Example>
    </>
  );
}
