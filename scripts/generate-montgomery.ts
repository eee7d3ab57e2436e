/**
 * Generates `src/tvm/precompiles/montgomery-module.ts`: `assembly/montgomery.ts` beside it, compiled to WebAssembly by
 * AssemblyScript.
 */

import { assemblyModule } from './assembly-module.js';
import { makeFile } from './made-file.js';

const FOLDER = new URL('../src/tvm/precompiles/', import.meta.url);

export const file = new URL('montgomery-module.ts', FOLDER);

export const text = (): Promise<string> =>
  assemblyModule({
    folder: new URL('assembly/', FOLDER),
    entry: 'montgomery.ts',
    script: 'generate-montgomery.ts',
    about: 'The multiplication of `assembly/montgomery.ts` as a WebAssembly module in base64.',
    constant: 'MONTGOMERY_MODULE',
  });

await makeFile(import.meta.filename, { file, text });
