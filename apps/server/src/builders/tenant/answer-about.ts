import type { FilesQuestion } from './asked-files.ts';
import type { ProjectFiles } from './project-files.ts';

/** Answers what a thread asks about the files of a project. */
export function answerAbout(files: ProjectFiles): (question: unknown) => Promise<unknown> {
  return (question) => {
    const { method, args } = question as FilesQuestion;
    const answer = files[method] as (...given: unknown[]) => Promise<unknown>;
    return answer.apply(files, args);
  };
}
