/**
 * Bundles the command and the library into dist/. The bundle exists for the cold start: one file per use instead of the
 * few hundred modules under node_modules (measured with fastify, level, protobufjs and commander on Node 20: 203 ms to
 * the first HTTP answer against 276 ms unbundled). What is imported lazily stays a chunk of its own. Native addons and
 * WASM cannot be bundled and are the published package's only dependencies.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const stampFile = path.join(dist, '.stamp');
const types = path.join(dist, 'types');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** What `/docs` shows: read when somebody asks, so not part of any bundle. */
const apiPage = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const apiPageFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/**
 * The addon of the curve, with its binaries for every platform: `node-gyp-build` looks for `prebuilds` beside the file that
 * calls it. The package is not a dependency because its own dependencies (`elliptic`) would be installed with it.
 */
const curveBinaries = path.join(path.dirname(require.resolve('secp256k1/package.json')), 'prebuilds');

/** Everything that a build reads. */
const inputs = [
  'src',
  'fixtures/parameters',
  'fixtures/scenarios',
  'scripts/build.mjs',
  'package.json',
  'package-lock.json',
];

const entries = {
  index: 'src/index.ts',
  vitest: 'src/vitest.ts',
  testing: 'src/testing.ts',
  jest: 'src/jest.ts',
  'energy-reporter': 'src/energy-reporter.ts',
  scenario: 'src/run-scenario.ts',
  'signer-thread': 'src/signers/thread.ts',
  'table-thread': 'src/devnet/database/table-thread.ts',
  'what-if-thread': 'src/cli/what-if-thread.ts',
  'scenario-process': 'src/scenario-files/scenario-process.ts',
};

/**
 * Builds what is missing, unless dist/ was made from exactly these files. Returns the path of the command.
 *
 * @param declarations whether they are wanted too: they are for publishing, running the command does not wait for them
 */
export async function buildIfStale({ declarations = false } = {}) {
  const made = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (made !== stamp()) await build({ declarations });
  else if (declarations && !existsSync(types)) declare(types);
  return path.join(dist, 'sunup.cjs');
}

/** Builds everything anew beside dist/ and then takes its place, so that nobody meets half of it. */
export async function build({ declarations }) {
  const { build: bundle } = await import('esbuild');
  const outdir = `${dist}.${process.pid}`;
  const stampOfInputs = stamp();
  const common = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    external: ['tiny-secp256k1', 'tronweb', 'vitest', 'zeromq'],
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  const required = new Set();
  const apart = requiredApart(required, common.external);
  const imported = await bundle({
    ...common,
    entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(path.join(root, file)))),
    outdir,
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    plugins: [nativeBindingsOnly, withoutProtoLoader, reflectionFilesInside, apart],
    // Packages written in CommonJS call `require` for Node's own modules.
    banner: {
      js: "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);",
    },
  });
  const command = await bundle({
    ...common,
    entryPoints: { command: 'src/cli/main.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // In one file and in CommonJS, because V8 keeps what it has compiled of a script, not of a module.
    define: { 'import.meta.url': '$importMetaUrl' },
    plugins: [nativeBindingsOnly, onFirstUse, packagesApart, apart],
    banner: { js: "const $importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
  });
  const started = await bundle({
    ...common,
    entryPoints: { sunup: 'src/cli/sunup.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { COMMAND_DIGEST: JSON.stringify(asFunction(path.join(outdir, 'command.cjs'))) },
  });
  const ofTheirOwn = await bundle({
    ...common,
    entryPoints: {
      ...Object.fromEntries(packagesOfTheirOwn.map((name) => [path.parse(fileOf(name)).name, partOf[name] ?? name])),
      'piscina-worker': path.join(root, 'node_modules/piscina/dist/worker.js'),
    },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [withoutProtoLoader, reflectionFilesInside, threadsBesideThem, packagesApart],
  });
  const forBrowsers = await bundle({
    ...common,
    entryPoints: { fees: 'src/fees.ts' },
    outdir,
    platform: 'neutral',
    target: 'es2020',
    format: 'esm',
    minify: true,
    // Node prints the line in which an error arose.
    lineLimit: 200,
  });
  const dashboard = await bundleDashboard(bundle, path.join(outdir, 'dashboard'));
  const names = [...required].sort();
  const loaded = await bundle({
    ...common,
    stdin: {
      contents: `module.exports = {${names.map((name) => `get '${name}'() { return require('${name}'); }`).join(',')}};`,
      resolveDir: root,
    },
    outfile: path.join(outdir, 'required.cjs'),
    format: 'cjs',
  });
  forbidLazyCommonJs(imported.metafile);
  const bundled = {
    ...imported.metafile.inputs,
    ...command.metafile.inputs,
    ...started.metafile.inputs,
    ...ofTheirOwn.metafile.inputs,
    ...forBrowsers.metafile.inputs,
    ...loaded.metafile.inputs,
    ...dashboard.metafile.inputs,
  };
  writeFileSync(path.join(outdir, 'scenarios.json'), JSON.stringify(exampleScenarios()));
  const page = path.join(outdir, 'api-page');
  mkdirSync(page);
  for (const name of apiPageFiles) copyFileSync(path.join(apiPage, name), path.join(page, name));
  cpSync(curveBinaries, path.join(outdir, 'prebuilds'), { recursive: true });
  const copied = apiPageFiles.map((name) => path.relative(root, path.join(apiPage, name)));
  writeFileSync(path.join(outdir, 'THIRD-PARTY-LICENSES.txt'), licenses([...Object.keys(bundled), ...copied]));
  if (declarations) declare(path.join(outdir, 'types'));
  writeFileSync(path.join(outdir, '.stamp'), stampOfInputs);
  rmSync(dist, { recursive: true, force: true });
  renameSync(outdir, dist);
}

/** The scenarios of `/sunup/scenarios`: all that need no files beside them. */
function exampleScenarios() {
  const { parse } = require('yaml');
  const folder = path.join(root, 'fixtures/scenarios');
  const ending = '.scenario.yaml';
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .flatMap((file) => {
      const scenario = readFileSync(path.join(folder, file), 'utf8');
      const { about, fork } = parse(scenario);
      return fork === undefined ? [{ name: file.slice(0, -ending.length), file, about, scenario }] : [];
    });
}

const DASHBOARD = 'src/dashboard/main.tsx';

/**
 * The page at `/`: scripts and styles with a digest in their names, so browsers keep them, and the page that loads them.
 * Each file also stands there compressed.
 */
async function bundleDashboard(bundle, outdir) {
  const built = await bundle({
    absWorkingDir: root,
    entryPoints: { main: DASHBOARD },
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  // Parts that are loaded later may have styles of their own.
  const [script, { cssBundle, imports }] = Object.entries(built.metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === DASHBOARD,
  );
  const inPage = (file) => `dashboard/${path.basename(file)}`;
  const first = imports.filter(({ kind }) => kind === 'import-statement').map(({ path: file }) => inPage(file));
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sunup</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${inPage(cssBundle)}">
${first.map((file) => `<link rel="modulepreload" href="${file}">`).join('\n')}
<script type="module" src="${inPage(script)}"></script>
</head>
<body>
<div id="dashboard"></div>
<noscript><main><h1>Sunup</h1><p>The dashboard needs JavaScript. <a href="docs">HTTP API</a></p></main></noscript>
</body>
</html>
`;
  writeFileSync(path.join(outdir, 'index.html'), page);
  for (const name of readdirSync(outdir)) {
    writeFileSync(path.join(outdir, `${name}.gz`), gzipSync(readFileSync(path.join(outdir, name)), { level: 9 }));
  }
  return built;
}

/**
 * Makes a CommonJS file a function of what a module is given, which is what is compiled, and escapes what is not ASCII
 * (esbuild leaves it in comments), so that V8 holds the text in a byte a character.
 *
 * @returns a digest of the text
 */
function asFunction(file) {
  const text = readFileSync(file, 'utf8').replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const whole = `(function(exports,require,module,__filename,__dirname){${text}\n})`;
  writeFileSync(file, whole);
  return createHash('sha256').update(whole).digest('hex').slice(0, 16);
}

/**
 * A package with an addon is JavaScript around one binding file that finds the prebuilt binary beside itself. Only that
 * file is left outside: the JavaScript around it, a dozen modules for LevelDB, is bundled.
 */
const nativeBindingsOnly = {
  name: 'native-bindings-only',
  setup(build) {
    build.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.includes('classic-level') ? { path: 'classic-level/binding.js', external: true } : undefined,
    );
  },
};

/**
 * grpc-js describes its connections with this package where somebody asks for its own services, which we do not have.
 */
const withoutProtoLoader = {
  name: 'without-proto-loader',
  setup(build) {
    build.onResolve({ filter: /^@grpc\/proto-loader$/ }, ({ path: name, importer }) =>
      /[\\/]@grpc[\\/]grpc-js[\\/]/.test(importer) ? { path: name, namespace: 'unused' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'unused' }, ({ path: name }) => ({
      contents: `throw new Error('${name} is not part of this bundle');`,
    }));
  },
};

/** fastify loads what it needs for HTTP/2 and TLS, which nobody asks for here, before it is asked: 5 ms at start. */
const onFirstUse = {
  name: 'on-first-use',
  setup(build) {
    build.onLoad({ filter: /[\\/]fastify[\\/]lib[\\/]server\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const contents = text.replaceAll(/^const (\w+) = (require\('node:https?2?'\))$/gm, (line, name, call) =>
        name === 'http' ? line : `const ${name} = new Proxy({}, { get: (_, member) => ${call}[member] })`,
      );
      if (contents === text) throw new Error('fastify does not load node:http2 and node:https where it did');
      return { contents };
    });
  },
};

/** @grpc/reflection reads the .proto files of its own services from beside itself; in the bundle they are inside. */
const reflectionFilesInside = {
  name: 'reflection-files-inside',
  setup(build) {
    const folder = /[\\/]@grpc[\\/]reflection[\\/]build[\\/]src[\\/]implementations[\\/]reflection-(v\w+)\.js$/;
    build.onLoad({ filter: folder }, ({ path: file }) => {
      const [, version] = folder.exec(file);
      const { loadSync } = createRequire(require.resolve('@grpc/proto-loader'))('protobufjs');
      const proto = path.join(file, `../../../proto/grpc/reflection/${version}/reflection.proto`);
      const text = readFileSync(file, 'utf8');
      const contents = text.replace(
        'protoLoader.loadSync(protoPath,',
        () => `protoLoader.fromJSON(${JSON.stringify(loadSync(proto).toJSON())},`,
      );
      if (contents === text) throw new Error('@grpc/reflection does not load its .proto file where it did');
      return { contents: contents.replace(/const protoPath = .*/, '') };
    });
  },
};

/** piscina starts its threads with a file beside itself, which has its name here, and can lower their priority: not here. */
const threadsBesideThem = {
  name: 'threads-beside-them',
  setup(build) {
    build.onResolve({ filter: /^@napi-rs\/nice$/ }, ({ path: name }) => ({ path: name, namespace: 'unused' }));
    build.onLoad({ filter: /[\\/]piscina[\\/]dist[\\/]index\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const contents = text.replace("'worker.js'", "'piscina-worker.cjs'");
      if (contents === text) throw new Error('piscina does not start its threads where it did');
      return { contents };
    });
  },
};

/** A process that has no more files reads them all the same. */
const spareFile = path.join(root, 'src/platform/spare-file.ts');
const loading = (file) => `('${file}', () => require('./${file}'))`;

/**
 * Where a contract that is executing needs a large package (curves, pairings), or a route that is being registered does
 * (compilers of JSON schemas), our sources `require` it, because they cannot wait for an import. All such packages go into one file of their
 * own, read when the first of them is needed.
 */
function requiredApart(names, external) {
  return {
    name: 'required-apart',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8');
        if (!text.includes('createRequire(import.meta.url)')) return undefined;
        const contents = text.replaceAll(/\brequire\('([^']+)'\)/g, (call, name) => {
          if (external.includes(name.split('/')[0])) return call;
          if (packagesOfTheirOwn.includes(name)) return `$loadedOnce${loading(fileOf(name))}`;
          names.add(name);
          return `$loadedOnce${loading('required.cjs')}['${name}']`;
        });
        const imported = `import { loadedOnce as $loadedOnce } from ${JSON.stringify(spareFile)};`;
        return { contents: `${imported}${contents}`, loader: 'ts' };
      });
    },
  };
}

/** Large CommonJS packages that a start does not call. */
const packagesOfTheirOwn = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/rate-limit',
  '@grpc/grpc-js',
  '@grpc/reflection',
  'echarts',
  'mcl-wasm/dist/mcl_c.js',
  'piscina',
  'prom-client',
  'secp256k1/bindings.js',
  'ws',
  'yaml',
];
/** Of these less than all is enough: charts of every day, without maps and three dimensions. */
const partOf = { echarts: 'echarts/dist/echarts.common.min' };
const fileOf = (name) => `${name.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-')}.cjs`;

/**
 * They are files of their own, required when they are first called, because V8 reads all of the command's text and keeps
 * it: they were two fifths of it, 20 ms of a first start and 5 MB.
 */
const packagesApart = {
  name: 'packages-apart',
  setup(build) {
    const filter = new RegExp(`^(${packagesOfTheirOwn.join('|')})$`);
    build.onResolve({ filter }, ({ path: name, kind }) =>
      kind === 'entry-point' ? undefined : { path: name, namespace: 'apart' },
    );
    build.onLoad({ filter: /./, namespace: 'apart' }, ({ path: name }) => ({
      contents: `module.exports = require('spare-file').loadedOnce${loading(fileOf(name))};`,
    }));
    build.onResolve({ filter: /^spare-file$/, namespace: 'apart' }, () => ({ path: spareFile }));
    build.onResolve({ filter: /./, namespace: 'apart' }, ({ path: file }) => ({ path: file, external: true }));
  },
};

/** Bundled, `await import()` of a CommonJS package has no named exports: a module of ours has to import it instead. */
function forbidLazyCommonJs({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { kind, path: target, original } of imports) {
      if (file.startsWith('src/') && kind === 'dynamic-import' && inputs[target]?.format === 'cjs') {
        throw new Error(`${file} imports ${original} lazily, which is CommonJS: import it in a module of its own`);
      }
    }
  }
}

/** A digest of the names, sizes and times of all inputs: any edit, removal or checkout changes it. */
function stamp() {
  const hash = createHash('sha256');
  const visit = (file) => {
    const absolute = path.join(root, file);
    if (!existsSync(absolute)) return;
    const status = statSync(absolute);
    if (status.isDirectory()) for (const name of readdirSync(absolute).sort()) visit(`${file}/${name}`);
    else hash.update(`${file} ${status.size} ${status.mtimeMs}\n`);
  };
  for (const input of inputs) visit(input);
  return hash.digest('hex');
}

/** For a package that ships no text of its licence: the holder, and the licence's standard text. */
function standardLicense(license, holders) {
  const { licenseText } = require('spdx-license-list/full')[license];
  const text = licenseText.replace(/^Copyright \(c\) <.*\n+/, '').trim();
  return `Copyright: ${holders.filter((known) => known !== undefined).join(', ')}\n\n${text}`;
}

/** The licence texts of the packages that are inside the bundle. */
function licenses(bundled) {
  const folders = new Set();
  for (const file of bundled) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (match) folders.add(match[1]);
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license, author, homepage } = JSON.parse(
      readFileSync(path.join(root, folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(path.join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined
        ? standardLicense(license, [author?.name ?? author, homepage])
        : readFileSync(path.join(root, folder, file), 'utf8').trim();
    return `${name} ${version} (${license ?? 'see text'})\n\n${text}`.trimEnd();
  });
  return `The bundle contains these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Declarations of the public entries and of the modules that their types mention, and of nothing else. */
function declare(outDir) {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', outDir], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('tsc could not write the declarations (see above)');

  const known = new Set([...builtinModules, ...Object.keys(manifest.dependencies), 'vitest']);
  const mentioned = new Set();
  const visit = (file) => {
    if (mentioned.has(file)) return;
    mentioned.add(file);
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    for (const [, quoted] of code.matchAll(/(?<![\w'"])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (quoted.startsWith('.')) visit(path.resolve(path.dirname(file), quoted.replace(/\.js$/, '.d.ts')));
      else if (!known.has(quoted.replace(/^node:/, ''))) {
        throw new Error(`${path.relative(root, file)} mentions ${quoted}, which the published package does not bring`);
      }
    }
  };
  for (const { types: entry } of Object.values(manifest.exports))
    if (entry !== undefined) visit(path.join(outDir, path.basename(entry)));
  for (const name of readdirSync(outDir, { recursive: true })) {
    const file = path.join(outDir, name);
    if (file.endsWith('.d.ts') && !mentioned.has(file)) rmSync(file);
  }
}
