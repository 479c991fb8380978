// Lists the files that a Node process loads, by the process's own report.
/** For `--import`: the process writes the address of each module that it loads to stderr. */
export const tellingLoads = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) console.error('loads ' + url);
    return next(url, context);
  },
});`)}`;

/** The paths of the modules that a process told on `stderr`. */
export const loadsOf = (stderr: string): string[] =>
  [...stderr.matchAll(/^loads file:\/\/(.*)$/gm)].map(([, path = '']) => path);
