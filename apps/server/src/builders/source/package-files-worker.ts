import { serve } from '../../thread/serve-thread.ts';
import { askPackageFile } from './package-files.ts';

await serve(askPackageFile, []);
