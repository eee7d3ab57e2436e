/**
 * The rules of the architecture's picture as a function over source files, so that it can be shown to find what it
 * looks for. Sources are parsed, not searched: comments, strings and regular expressions cannot mislead it.
 */

import path from 'node:path';
import { parseAst } from 'vitest/node';

/** Path from `src/`, with forward slashes, to source text. */
export type Sources = ReadonlyMap<string, string>;

/** Top to bottom. A folder may import the rows below its own, nothing of its own row but itself, nothing above. */
const rows = [
  ['cli', 'index', 'vitest', 'jest', 'energy-reporter', 'run-scenario'],
  ['testing'],
  ['porting'],
  ['scenario-files'],
  ['scenario'],
  ['devnet'],
  ['traffic'],
  ['contracts'],
  ['clients'],
  ['options'],
  ['fork'],
  ['openapi'],
  ['http', 'grpc', 'jsonrpc', 'history', 'devtools', 'admin', 'push', 'metrics', 'dashboard'],
  ['access'],
  ['signers'],
  ['prose'],
  ['explanation'],
  ['wallet'],
  ['chain-file'],
  ['node'],
  ['ledger'],
  ['artifacts'],
  ['tracing', 'abi'],
  ['fees'],
  ['tvm', 'resources', 'parameters'],
  ['state'],
  ['protocol'],
  ['errors', 'platform'],
  ['primitives'],
] as const;

const rank = new Map<string, number>(rows.flatMap((row, depth) => row.map((folder) => [folder, depth] as const)));

/** Where the picture is stricter than its rows: everything that the folder may import. */
const only: Record<string, readonly string[]> = {
  resources: ['primitives'],
  parameters: ['primitives'],
  primitives: [],
  // For browsers and for wallets: arithmetic, and the forms of answers.
  fees: ['resources', 'parameters', 'primitives'],
  // One Host interface is all that the machine sees of the chain.
  tvm: ['protocol', 'errors', 'primitives'],
};

/**
 * The order inside of a large folder, top to bottom, by its rooms (folders) and the files that stand beside them. A room
 * may import the rows below its own, as a folder may in the picture.
 */
const rooms: Record<string, readonly (readonly string[])[]> = {
  devnet: [
    ['running'],
    ['interfaces', 'fork'],
    ['devnet'],
    ['events'],
    ['endpoints', 'genesis', 'database', 'control'],
    ['artifacts'],
  ],
  scenario: [
    ['report'],
    ['what-if'],
    ['run'],
    ['record'],
    ['reader'],
    ['steps'],
    ['actions'],
    ['results'],
    ['format'],
    ['parties', 'random'],
  ],
  dashboard: [['main'], ['app'], ['frame', 'screens'], ['parts'], ['chain'], ['style.d']],
  fork: [['start'], ['cache'], ['rows'], ['network'], ['terms']],
  explanation: [
    ['preview', 'porting', 'recorded'],
    ['explain'],
    ['calls'],
    ['rerun', 'summary'],
    ['costs'],
    ['outcome'],
    ['sources'],
    ['model'],
  ],
  node: [
    ['node'],
    ['operations'],
    ['production', 'steps'],
    ['chain', 'with-rows'],
    ['control'],
    ['clock', 'views'],
    ['storage'],
  ],
  ledger: [
    ['operations'],
    ['genesis'],
    ['apply-block', 'mine-empty-run'],
    ['apply-transaction'],
    ['epoch'],
    ['contracts'],
    ['governance'],
    ['smart-contracts'],
    ['admission'],
    ['charging'],
    ['stake', 'trade'],
    ['blocks'],
    ['voting'],
    ['accounts'],
    ['schedule', 'history'],
    ['release-rules'],
    ['ledger'],
    ['config'],
  ],
  state: [
    ['fork'],
    ['newest-change'],
    ['views'],
    ['pre-images', 'tallies', 'row-changes', 'memory-store', 'store-source'],
    ['state'],
    ['table', 'store'],
    ['missing-row', 'journal', 'row-checksum'],
    ['remote-rows'],
    ['tables'],
    ['table-spec', 'stored-block'],
  ],
};

/** Wires: what a node answers is the wallet's to say, and what they may know of the protocol is its messages. */
const surfaces = ['http', 'grpc', 'jsonrpc', 'devtools', 'admin', 'push', 'metrics'];
for (const surface of surfaces)
  only[surface] = [
    'access',
    'prose',
    'explanation',
    'wallet',
    'chain-file',
    'node',
    'protocol',
    'errors',
    'platform',
    'primitives',
  ];

// A live network read over its own interfaces: rows, and the rules that they are read by, no node and no surface.
only.fork = [
  'chain-file',
  'ledger',
  'tvm',
  'resources',
  'parameters',
  'state',
  'protocol',
  'errors',
  'platform',
  'primitives',
];

// Runs in a browser: it knows URLs, `sunup/fees`, and the types of answers.
only.dashboard = ['fees', 'prose', 'explanation', 'wallet', 'primitives'];
/** Everything else may only be imported as a type, which browsers do not load. */
const carriedToBrowser = new Set(['dashboard', 'fees']);

// Events are named by the ABI of their contract.
only.history = [...(only.http ?? []), 'abi'];
only.push = only.history;

/** The lowest folder that time, randomness and files are handed to. */
const lowestWithPlatform = rank.get('node')!;

/** Same inputs give the same bytes here, so nothing here may ask the machine it runs on. */
const deterministic = new Set<string>(
  rows
    .slice(rows.findIndex((row) => row.some((folder) => folder === 'prose')))
    .flat()
    .filter((folder) => folder !== 'platform')
    // Above the devnet, and yet a scenario comes to the same on every machine.
    .concat('scenario'),
);
/** And `createRequire`, with which a package is loaded where nothing may wait; what it loads is judged like an import. */
const harmlessModules = new Set(['node:assert', 'node:buffer', 'node:crypto', 'node:events', 'node:util', 'node:zlib']);
const randomFromCrypto = new Set([
  'randomBytes',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'getRandomValues',
  'webcrypto',
]);
const forbiddenGlobals = new Set([
  'process',
  'console',
  'performance',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'require',
  'crypto',
]);
const forbiddenCalls = new Set(['Date.now', 'Math.random', 'globalThis.process', 'globalThis.crypto']);

const emptyNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'lib']);
const entries = new Set([
  'index.ts',
  'vitest.ts',
  'jest.ts',
  'energy-reporter.ts',
  'testing.ts',
  'run-scenario.ts',
  'fees.ts',
]);

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
  readonly names: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree of any language version is walked generically
type Node = any;

/** The files of `scripts/verify`, top to bottom: one imports only those of the rows below its own. */
export const verifyOrder = [
  ['replay', 'answers', 'jsonrpc-answers'],
  ['http-answers', 'grpc-answers'],
  ['asker', 'stores'],
  ['recording', 'difference'],
] as const;

/** One sentence for each import that does not point downwards, of files that stand side by side. */
export function brokenOrder(sources: Sources, order: readonly (readonly string[])[]): string[] {
  const heights = new Map<string, number>(
    order.flatMap((row, depth) => row.map((name) => [`${name}.ts`, depth] as const)),
  );
  return [...sources].flatMap(([file, text]) => {
    const from = heights.get(file);
    if (from === undefined) return [`${file}: has no place in the order`];
    return read(parseAst(text, { lang: 'ts' }))
      .imports.map(({ from: specifier }) => path.posix.join(specifier.replace(/\.js$/, '.ts')))
      .filter((target) => (heights.get(target) ?? Number.POSITIVE_INFINITY) <= from)
      .map((target) => `${file}: imports ${target}`);
  });
}

/** One sentence for each broken rule, each opening with the file. */
export function brokenRules(sources: Sources): string[] {
  const broken: string[] = [];
  const importsOf = new Map<string, string[]>();
  const openLevel: string[] = [];

  for (const [file, text] of sources) {
    const complain = (what: string) => broken.push(`${file}: ${what}`);
    const folder = topOf(file);
    const from = rank.get(folder);
    if (from === undefined) {
      complain(`${folder} has no place in the picture`);
      continue;
    }
    const segments = file.replace(/\.tsx?$/, '').split('/');
    for (const name of segments.filter((segment) => emptyNames.has(segment))) complain(`"${name}" says nothing`);

    const program: Node = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
    const { imports, globals, argumentlessDates, members } = read(program);
    if (rooms[folder] !== undefined && roomRank(file) === undefined) complain(`has no place in the order of ${folder}`);
    if (surfaces.includes(folder) && members.has('ledger')) complain(`${folder} asks the ledger, not the wallet`);

    for (const name of changingState(program, text)) {
      complain(`${name} is shared by all chains of a process, and does not say why`);
    }

    if (!entries.has(file)) {
      if (segments.at(-1) === 'index') complain('an index file is a barrel');
      if (isBarrel(program)) complain('only re-exports: a barrel');
    }

    const targets: string[] = [];
    for (const { from: specifier, typeOnly, names } of imports) {
      if (specifier === 'level' || specifier === 'classic-level') {
        if (!typeOnly) openLevel.push(file);
        continue;
      }
      if (!specifier.startsWith('.')) {
        if (!deterministic.has(folder)) continue;
        const module = isBuiltin(specifier) ? `node:${specifier.replace(/^node:/, '')}` : undefined;
        const allowed = module === undefined || harmlessModules.has(module);
        if (!allowed && !(module === 'node:module' && names.join() === 'createRequire')) {
          complain(`imports ${specifier}, but has to be deterministic`);
        }
        for (const name of module === 'node:crypto' ? names : []) {
          if (randomFromCrypto.has(name)) complain(`imports ${name}`);
        }
        continue;
      }
      const written = path.posix.join(path.posix.dirname(file), specifier);
      if (written.endsWith('.css')) continue;
      const target = written.replace(/\.js$/, sources.has(written.replace(/\.js$/, '.tsx')) ? '.tsx' : '.ts');
      if (target.startsWith('..')) {
        complain(`imports ${specifier} from outside of src`);
        continue;
      }
      targets.push(target);
      const other = topOf(target);
      const to = rank.get(other);
      if (other === folder) {
        const wrong = upwardInside(file, target);
        if (wrong !== undefined) complain(wrong);
      }
      if (folder === 'dashboard' && !typeOnly && !carriedToBrowser.has(other))
        complain(`carries ${target} to browsers`);
      if (other === folder || to === undefined) continue;
      const allowed = only[folder];
      if (allowed !== undefined ? !allowed.includes(other) : to <= from)
        complain(`${folder} imports ${other} (${target})`);
      else if (other === 'platform' && from > lowestWithPlatform) complain(`${folder} imports platform (${target})`);
    }
    importsOf.set(file, targets);

    if (deterministic.has(folder)) {
      for (const name of globals) complain(`uses ${name}, but has to be deterministic`);
      if (argumentlessDates) complain('uses new Date(), but has to be deterministic');
    }
  }

  if (new Set(openLevel).size > 1) broken.push(`level is opened in more than one file: ${openLevel.join(', ')}`);
  for (const file of openLevel) if (deterministic.has(topOf(file))) broken.push(`${file}: opens a database`);
  for (const cycle of cycles(importsOf)) broken.push(`${cycle[0]}: import cycle ${cycle.join(' → ')}`);
  return broken;
}

/** `ledger/stake/staking.ts` → `stake`, `ledger/apply-block.ts` → `apply-block`. */
function roomOf(file: string): string {
  return (file.split('/')[1] ?? '').replace(/\.tsx?$/, '');
}

function roomRank(file: string): number | undefined {
  const at = rooms[topOf(file)]?.findIndex((row) => row.includes(roomOf(file)));
  return at === undefined || at < 0 ? undefined : at;
}

/** What is wrong with an import inside of a folder that has an order; undefined where nothing is. */
function upwardInside(file: string, target: string): string | undefined {
  const from = roomRank(file);
  const to = roomRank(target);
  if (from === undefined || to === undefined || roomOf(file) === roomOf(target) || to > from) return undefined;
  return `${topOf(file)}/${roomOf(file)} imports ${topOf(file)}/${roomOf(target)} (${target})`;
}

/** `node/chain/chain.ts` → `node`, `index.ts` → `index`. */
function topOf(file: string): string {
  return file.split('/')[0]?.replace(/\.ts$/, '') ?? file;
}

function isBuiltin(specifier: string): boolean {
  return (
    specifier.startsWith('node:') ||
    /^(fs|net|http|https|http2|tls|os|path|child_process|worker_threads|crypto|timers|dns|dgram|cluster|perf_hooks|process|module|url|stream|zlib|v8|vm)(\/|$)/.test(
      specifier,
    )
  );
}

/**
 * Names at the top level that can change: variables, and collections that are made empty. All devnets of a process share
 * them, so the comment above has to say why that is right. What hangs on an object (a WeakMap) goes with the object.
 */
function changingState(program: Node, text: string): string[] {
  const names: string[] = [];
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    const above = text.slice(0, statement.start).trimEnd();
    const comment = above.endsWith('*/') ? above.slice(above.lastIndexOf('/**')) : '';
    if (/Shared by all chains[:,]/.test(comment)) continue;
    for (const { id, init } of declaration.declarations) {
      if (declaration.kind === 'let' || isMadeEmpty(init, id.typeAnnotation, text)) names.push(id.name);
    }
  }
  return names;
}

function isMadeEmpty(init: Node, annotation: Node, text: string): boolean {
  if (annotation != null && /readonly|Readonly/.test(text.slice(annotation.start, annotation.end))) return false;
  if (init?.type === 'ArrayExpression') return init.elements.length === 0;
  return init?.type === 'NewExpression' && /^(Map|Set|Array)$/.test(init.callee.name) && init.arguments.length === 0;
}

function isBarrel(program: Node): boolean {
  const statements: Node[] = program.body;
  return (
    statements.length > 0 && statements.every((statement) => statement.source != null && /^Export/.test(statement.type))
  );
}

interface Found {
  readonly imports: Import[];
  readonly globals: Set<string>;
  readonly argumentlessDates: boolean;
  /** Names of members that are read, by a dot or by taking an object apart. */
  readonly members: Set<string>;
}

function read(program: Node): Found {
  const imports: Import[] = [];
  const declared = new Set<string>();
  const used = new Set<string>();
  const members = new Set<string>();
  let argumentlessDates = false;

  const visit = (node: Node, parent: Node, key: string): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item, parent, key);
      return;
    }
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;

    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration': {
        if (node.source == null) break;
        const specifiers: Node[] = node.specifiers ?? [];
        const kind = node.importKind ?? node.exportKind;
        imports.push({
          from: node.source.value,
          typeOnly:
            kind === 'type' ||
            (specifiers.length > 0 && specifiers.every((one) => (one.importKind ?? one.exportKind) === 'type')),
          dynamic: false,
          names: specifiers.map((one) => one.imported?.name ?? one.local?.name ?? ''),
        });
        for (const one of specifiers) if (one.local?.name) declared.add(one.local.name);
        return;
      }
      case 'ImportExpression':
        if (typeof node.source?.value === 'string') {
          imports.push({ from: node.source.value, typeOnly: false, dynamic: true, names: [] });
        }
        break;
      case 'CallExpression':
        if (node.callee.name === 'require' && typeof node.arguments[0]?.value === 'string') {
          imports.push({ from: node.arguments[0].value, typeOnly: false, dynamic: true, names: [] });
        }
        break;
      case 'TSImportType':
        imports.push({ from: node.source.value, typeOnly: true, dynamic: false, names: [] });
        break;
      case 'ObjectPattern':
        for (const one of node.properties) if (one.key?.type === 'Identifier') members.add(one.key.name);
        break;
      case 'MemberExpression':
        if (!node.computed) members.add(node.property.name);
        if (!node.computed && node.object.type === 'Identifier') used.add(`${node.object.name}.${node.property.name}`);
        break;
      case 'NewExpression':
        if (node.callee.name === 'Date' && node.arguments.length === 0) argumentlessDates = true;
        break;
      case 'Identifier':
        if (isDeclaration(parent, key)) declared.add(node.name);
        else if (isReference(parent, key)) used.add(node.name);
        break;
    }
    for (const [childKey, child] of Object.entries(node)) {
      if (childKey !== 'type' && typeof child === 'object') visit(child, node, childKey);
    }
  };
  visit(program, undefined, '');

  const globals = new Set(
    [...used].filter((name) => forbiddenCalls.has(name) || (forbiddenGlobals.has(name) && !declared.has(name))),
  );
  return { imports, globals, argumentlessDates, members };
}

function isDeclaration(parent: Node, key: string): boolean {
  switch (parent?.type) {
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return key === 'id' || key === 'params';
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'TSDeclareFunction':
    case 'TSFunctionType':
    case 'TSMethodSignature':
      return key === 'params';
    default:
      return key === 'value' && parent?.type === 'Property' && parent.shorthand;
  }
}

function isReference(parent: Node, key: string): boolean {
  if (parent?.type === 'MemberExpression') return key === 'object' || parent.computed;
  if (key === 'key' || key === 'label' || key === 'property') return false;
  return !/^TS(PropertySignature|MethodSignature|QualifiedName|TypeReference|TypeQuery|TypePredicate|EnumMember)$/.test(
    parent?.type ?? '',
  );
}

/** Each cycle once, in the order of the imports. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    const at = stack.indexOf(file);
    if (at >= 0) found.push([...stack.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    stack.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    stack.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}
