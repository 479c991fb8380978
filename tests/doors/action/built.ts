// Before the tests: the Action's files are built anew, so that what is tested is what the source builds to.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export default function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../../action/build.ts')]);
}
