import { ask } from '../../thread/serve-thread.ts';
import type { FilesQuestion, ProjectFiles } from './project-files.ts';

/** The files of a project in a thread that reads its texts: whoever has started the thread has them (`answerAbout`). */
export const askedFiles: ProjectFiles = {
  textOf: (...args) => asked({ method: 'textOf', args }),
  kindOf: (...args) => asked({ method: 'kindOf', args }),
  isFolder: (...args) => asked({ method: 'isFolder', args }),
  foldersIn: (...args) => asked({ method: 'foldersIn', args }),
  list: (...args) => asked({ method: 'list', args }),
  hashesOf: (...args) => asked({ method: 'hashesOf', args }),
};

async function asked<Answer>(question: FilesQuestion): Promise<Answer> {
  return (await ask(question)) as Answer;
}
