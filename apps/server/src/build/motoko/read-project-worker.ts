import { serve } from '../../thread/serve-thread.ts';
import { ProjectFileError } from './project-file-error.ts';
import { readProject } from './read-project.ts';

await serve(readProject, [ProjectFileError]);
