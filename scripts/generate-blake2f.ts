/**
 * Generates `src/tvm/precompiles/blake2f-module.ts`: `assembly/blake2f.ts` beside it, compiled to WebAssembly by
 * AssemblyScript.
 */

import { assemblyModule } from './assembly-module.js';
import { makeFile } from './made-file.js';

const FOLDER = new URL('../src/tvm/precompiles/', import.meta.url);

export const file = new URL('blake2f-module.ts', FOLDER);

export const text = (): Promise<string> =>
  assemblyModule({
    folder: new URL('assembly/', FOLDER),
    entry: 'blake2f.ts',
    script: 'generate-blake2f.ts',
    about: 'The rounds of `assembly/blake2f.ts` as a WebAssembly module in base64.',
    constant: 'BLAKE2F_MODULE',
  });

await makeFile(import.meta.filename, { file, text });
