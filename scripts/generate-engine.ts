/**
 * Generates `src/tvm/engine/module.ts`: the machine of `src/tvm/engine/assembly`, compiled to WebAssembly by
 * AssemblyScript.
 */

import { assemblyModule } from './assembly-module.js';
import { makeFile } from './made-file.js';

const FOLDER = new URL('../src/tvm/engine/', import.meta.url);

export const file = new URL('module.ts', FOLDER);

export const text = (): Promise<string> =>
  assemblyModule({
    folder: new URL('assembly/', FOLDER),
    entry: 'index.ts',
    script: 'generate-engine.ts',
    about: 'The machine of `assembly/` as a WebAssembly module in base64.',
    constant: 'ENGINE_MODULE',
  });

await makeFile(import.meta.filename, { file, text });
