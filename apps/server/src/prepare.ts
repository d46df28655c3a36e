// Unpacks what comes packed, so that the folder of the program may be read-only when it runs.
import { hasChromium, unpackChromium } from '@cannery/browser';
import { findPostgresBinaries } from './db/postgres/postgres-binaries.ts';
import { unpackedBrowser } from './site-picture/take-picture.ts';

findPostgresBinaries();
if (hasChromium) await unpackChromium(unpackedBrowser);
