import { serve } from '../../thread/serve-thread.ts';
import { ProjectFileError } from '../source/project-file-error.ts';
import { askedFiles } from '../tenant/asked-files.ts';
import { type PlanRequest, readPlan } from './read-plan.ts';

await serve((request: PlanRequest) => readPlan(askedFiles, request), [ProjectFileError]);
