import { serve } from '../../thread/serve-thread.ts';
import { ProjectFileError } from '../motoko/project-file-error.ts';
import { readCanisters } from './read-plan.ts';

await serve(readCanisters, [ProjectFileError]);
