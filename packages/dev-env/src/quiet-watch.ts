// Loaded before the server under `node --watch`. In watch mode Node makes each thread tell its parent which files it has
// loaded, as messages among the thread's own: the threads of server and network must hear none of them, and the folders
// to watch are named anyway.
delete process.env.WATCH_REPORT_DEPENDENCIES;
