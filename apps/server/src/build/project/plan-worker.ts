import { serve } from '../../thread/serve-thread.ts';
import { ProjectFileError } from '../motoko/project-file-error.ts';
import { readPlan } from './read-plan.ts';

await serve(readPlan, [ProjectFileError]);
