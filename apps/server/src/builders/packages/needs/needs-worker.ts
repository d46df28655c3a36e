import { serve } from '../../../thread/serve-thread.ts';
import { ProjectFileError } from '../../source/project-file-error.ts';
import { askedFiles } from '../../tenant/asked-files.ts';
import { readPackageNeeds } from './read-needs.ts';

await serve(() => readPackageNeeds(askedFiles), [ProjectFileError]);
