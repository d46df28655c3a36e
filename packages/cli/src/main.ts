#!/usr/bin/env node
import { exitCodes } from './cli-error.ts';
import { runCannery } from './run-cannery.ts';

// Whoever reads the output has enough, such as `head`.
process.stdout.on('error', () => process.exit(exitCodes.completed));

process.exitCode = await runCannery(process);
