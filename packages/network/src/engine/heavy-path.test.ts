// What the engine does is the same when every execution of some length goes through another thread.
import '../../test/tiny-slices.ts';
import './calls.test.ts';
import './rollback.test.ts';
import './system-api.test.ts';
import './upgrade.test.ts';
