import { Example } from '../../../features/documentation/example.tsx';
import { HeaderBar } from './header-bar.tsx';
import { HeaderMenu } from './header-menu.tsx';
import { SidebarNarrow } from './sidebar-narrow.tsx';
import { SidebarWide } from './sidebar-wide.tsx';

/** The files of the examples, as they are. */
const headerSources = import.meta.glob<string>('./header-*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const headerHeadings = { bar: 'The bar', menu: 'The menu' } as const;

/** The bar above every page. */
export function HeaderPage() {
  return (
    <>
      <p className="text-pretty">
        The bar stays at the top of every page: the toggle of the sidebar, the mark, and who is signed in.
      </p>
      <Example
        id="bar"
        title={headerHeadings.bar}
        text="The toggle says what it will do, and whether the sidebar is open."
        source={headerSources['./header-bar.tsx']}
      >
        <HeaderBar />
      </Example>
      <Example
        id="menu"
        title={headerHeadings.menu}
        text="The menu of the profile holds the theme. Choose one: it is kept in this browser."
        source={headerSources['./header-menu.tsx']}
      >
        <HeaderMenu />
      </Example>
    </>
  );
}

/** The files of the examples, as they are. */
const sidebarSources = import.meta.glob<string>('./sidebar-*.tsx', {
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
        source={sidebarSources['./sidebar-wide.tsx']}
      >
        <SidebarWide />
      </Example>
      <Example
        id="narrow"
        title={sidebarHeadings.narrow}
        text="The words stay below the icons, so that nobody has to guess."
        source={sidebarSources['./sidebar-narrow.tsx']}
      >
        <SidebarNarrow />
      </Example>
    </>
  );
}
