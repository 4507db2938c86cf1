import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { shellFile, shellModule } from './shell-text.ts';

/** `node --import ./scripts/shell-hooks.ts`: scripts are imported as text, as in the bundle. Threads inherit it. */
registerHooks({
  load: (url, context, next) =>
    shellFile.test(url)
      ? { format: 'module', source: shellModule(fileURLToPath(url)), shortCircuit: true }
      : next(url, context),
});
