import { getRouteApi } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { whatIsNew } from '../../config/paths.ts';
import { news } from '../../features/documentation/news.ts';
import { ChapterPage, PageFrame } from '../../features/documentation/page-frame.tsx';
import { type ComponentPage, componentPages } from '../../features/documentation/pages.ts';
import {
  buttonHeadings,
  ButtonsPage,
  typographyHeadings,
  TypographyPage,
} from '../../features/documentation/sample-pages.tsx';
import { headerHeadings, HeaderPage, sidebarHeadings, SidebarPage } from '../shell/examples/shell-pages.tsx';

const route = getRouteApi('/guide/documentation/$section/$page');

interface ComponentEntry {
  readonly Page: ComponentType;
  /** Titles of the headings by their anchors. */
  readonly headings: Readonly<Record<string, string>>;
}

const entries: Readonly<Record<ComponentPage, ComponentEntry>> = {
  typography: { Page: TypographyPage, headings: typographyHeadings },
  header: { Page: HeaderPage, headings: headerHeadings },
  sidebar: { Page: SidebarPage, headings: sidebarHeadings },
  buttons: { Page: ButtonsPage, headings: buttonHeadings },
};

/** A chapter of the guide, or a page about parts of the console. */
export function DocumentationPage() {
  const loaded = route.useLoaderData();
  const address = route.useParams();
  useEffect(() => {
    if (address.page === whatIsNew.page) news.read();
  }, [address.page]);
  if (loaded.kind === 'chapter') return <ChapterPage {...loaded} address={address} />;
  const { Page, headings } = entries[loaded.page];
  const listed = Object.entries(headings).map(([id, title]) => ({ id, title, level: 2 }));
  return (
    <PageFrame title={componentPages[loaded.page]} address={address} headings={listed}>
      <Page />
    </PageFrame>
  );
}
