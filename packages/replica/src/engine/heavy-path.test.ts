// What the engine does is the same when every execution of some length goes through another thread.
import '../../test/tiny-slices.ts';
import '../../test/engine/calls.test.ts';
import '../../test/engine/rollback.test.ts';
import '../../test/engine/system-api.test.ts';
import '../../test/engine/upgrade.test.ts';
