import { flushCompileCache } from 'node:module';
import { keepCompiled } from './compile-cache.ts';
import { fileOf } from './entry.ts';

/** Where every thread begins: each has a compile cache of its own to switch on before it loads what it is for. */
keepCompiled();
await import(fileOf(process.argv[2] ?? '').href);
flushCompileCache();
