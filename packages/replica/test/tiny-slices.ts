import { vi } from 'vitest';

// Imported before a test file, lets every message and query of its engines need another thread. Starting one takes long
// where many tests share few cores.
process.env['CANNERY_TEST_SLICE'] = '10000';
vi.setConfig({ testTimeout: 60_000 });
