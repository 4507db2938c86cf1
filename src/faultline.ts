import { setFlagsFromString } from 'node:v8';
import { keepCompiled } from './compile-cache.ts';

/** The entry of the bundle. */
keepCompiled();
// V8 lets the space for young objects grow to 134 MB in step with the bursts it sees, and keeps it. The first thread stays at 4 MB;
// those that are made later begin with 2 x 8 (decision 0151).
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--min-semi-space-size=8');
await import('./main.ts');
