import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { shellModule } from './shell-text.ts';

/** `node --import ./scripts/shell-hooks.ts`: scripts in `*.sh` are imported as text, as in the bundle. Threads inherit it. */
registerHooks({
  load: (url, context, next) =>
    url.endsWith('.sh')
      ? { format: 'module', source: shellModule(fileURLToPath(url)), shortCircuit: true }
      : next(url, context),
});
