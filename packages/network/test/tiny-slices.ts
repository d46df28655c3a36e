// Imported before a test file, lets every message and query of its engines need another thread.
process.env['CANNERY_TEST_SLICE'] = '10000';
