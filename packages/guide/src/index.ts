export { type Block, type Chapter, type Inline, plainText } from './blocks.ts';
export { type Guide, type GuideChapter, readGuide } from './guide.ts';
export { readChapter } from './read-chapter.ts';
export { GuideError } from './read-blocks.ts';
export { type Section, sectionsOf } from './sections.ts';
export { guidePlugin } from './vite-plugin.ts';
