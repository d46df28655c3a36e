// The S3 service of the set-up of three machines: HOST, PORT and FOLDER.
import { startS3Service } from '../../service/s3-service.ts';

const { HOST = '', PORT = '', FOLDER = '' } = process.env;
await startS3Service({ directory: FOLDER, port: Number(PORT), host: HOST });
process.stdout.write('ready\n');
