// Modules of Node that few requests need: to load both takes as long as all else that this program does at its start.

export const crypto = () => process.getBuiltinModule('node:crypto');
export const childProcess = () => process.getBuiltinModule('node:child_process');
