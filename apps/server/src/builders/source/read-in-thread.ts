import { runInThread, ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';
import { ProjectFileError } from './project-file-error.ts';
import { answerAbout, type ProjectFiles } from '../tenant/project-files.ts';

/** Bounds of reading the settings of a project; the slowest of those surveyed takes 0.2 s and 20 MB. */
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 256;

/** A reading of settings of a project. */
export interface SettingsReading {
  /** The module that reads; what it refuses are messages for the project's author. */
  readonly module: URL;
  readonly request: unknown;
  /** The files of the project, which the thread asks about. */
  readonly files: ProjectFiles;
  readonly signal: AbortSignal;
  /** What cannot be read when a bound is reached, such as 'The settings of the project'. */
  readonly what: string;
  /** What helps then, as a sentence. */
  readonly advice?: string;
}

/**
 * Reads settings of a project in a thread with bounds, since they are text of a tenant.
 * @throws ProjectFileError what the module refuses, or that a bound is reached
 */
export async function readInThread<Result>({
  what,
  advice,
  files,
  ...task
}: SettingsReading): Promise<Result> {
  try {
    const answer = answerAbout(files);
    return await runInThread<Result>({
      ...task,
      answer,
      heapMegabytes: HEAP_MEGABYTES,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    if (error instanceof ThreadRefusal) throw new ProjectFileError(error.message, { cause: error });
    if (!(error instanceof ThreadError)) throw error;
    const help = advice === undefined ? '' : ` ${advice}`;
    throw new ProjectFileError(`${what} cannot be read: ${error.message}.${help}`, { cause: error });
  }
}
