import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '../../src')

/** The layers that each layer may import. Every file may import from its own layer. */
const ALLOWED: { readonly [layer: string]: readonly string[] } = {
  base: [],
  fields: ['base'],
  store: ['base'],
  // Rules and computed fields of a schema receive records, and the store declares the types of records.
  schema: ['base', 'store'],
  access: ['base', 'store', 'schema'],
  plan: ['base', 'store', 'schema', 'fields', 'access'],
  write: ['base', 'store', 'schema'],
  // The five layers of a read.
  core: ['base', 'store', 'schema', 'access', 'plan'],
  policy: ['base', 'store', 'schema', 'plan', 'core'],
  read: ['base', 'store', 'schema', 'fields', 'access', 'plan', 'core', 'policy'],
  format: ['base', 'store', 'schema', 'access', 'plan', 'core', 'policy', 'read'],
  execute: ['base', 'store', 'schema', 'access', 'plan', 'core', 'policy', 'read', 'format', 'interface'],
  // The options and signatures of a graph's methods.
  interface: ['base', 'schema', 'fields', 'access', 'plan', 'core', 'write'],
  graph: ['base', 'store', 'schema', 'access', 'plan', 'core', 'read', 'execute', 'write', 'interface'],
  stores: ['base', 'store'],
  http: ['base', 'store', 'schema', 'access', 'plan', 'execute', 'interface', 'graph'],
  client: ['base', 'schema', 'interface'],
  explorer: ['base', 'fields', 'schema', 'plan', 'execute', 'graph'],
  // The page runs in a browser: it needs only expressions, and the responses of the Explorer's handler.
  'explorer/page': ['base', 'fields', 'explorer'],
  testing: ['base', 'store'],
  // The calls of actions: checks in the way of reads, and writes.
  actions: [
    'base',
    'store',
    'schema',
    'access',
    'plan',
    'core',
    'policy',
    'format',
    'execute',
    'interface',
    'write',
    'graph',
  ],
  // Reads and writes records past the policies of a graph.
  update: ['base', 'store', 'schema', 'execute', 'write', 'graph'],
  // A graph over the tables of a database. It shares the connections and statements of the stores.
  tables: ['base', 'store', 'schema', 'stores'],
  // The check of stored data, and the program that runs it with the store of a URL.
  check: ['base', 'store', 'schema'],
  cli: ['base', 'store', 'schema', 'stores', 'check', 'tables', 'graph', 'http', 'explorer'],
}

/** Returns the layer of a file. Files directly in `src` belong to the layer `graph`. */
const layerOf = (file: string): string => {
  const path = relative(SRC, file)
  if (path.startsWith('explorer/page/')) return 'explorer/page'
  return path.includes('/') ? (path.split('/')[0] ?? '') : 'graph'
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(entry => join(entry.parentPath, entry.name))

/** Reads a file without its comments, because the examples in comments import modules too. */
const readCode = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')

const findImports = (file: string): string[] =>
  [...readCode(file).matchAll(/^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'/gm)].map(
    match => match[1] ?? match[2] ?? '',
  )

const hasBody = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

/** Returns the functions of a file with their lengths. */
const findFunctions = (file: string): { readonly at: string; readonly lines: number }[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const found: { readonly at: string; readonly lines: number }[] = []
  const visit = (node: ts.Node): void => {
    if (hasBody(node)) {
      const start = lineAt(node.getStart(source))
      found.push({ at: `${relative(SRC, file)}:${start + 1}`, lines: lineAt(node.end) - start + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe('the files of src', () => {
  it('import only from their own layer and lower layers', () => {
    const wrong = files.flatMap(file =>
      findImports(file)
        .filter(target => target.startsWith('.'))
        .map(target => layerOf(resolve(dirname(file), target)))
        .filter(layer => layer !== layerOf(file) && !ALLOWED[layerOf(file)]?.includes(layer))
        .map(layer => `${relative(SRC, file)} imports ${layer}`),
    )
    expect(wrong).toEqual([])
  })

  it('have no import cycles, not even of types', () => {
    const edges = new Map(
      files.map(file => {
        const targets = findImports(file)
          .filter(target => target.startsWith('.'))
          .map(target => resolve(dirname(file), target))
        return [file, targets] as const
      }),
    )
    const done = new Set<string>()
    const visit = (file: string, path: readonly string[]): void => {
      expect(path, `a cycle through ${relative(SRC, file)}`).not.toContain(file)
      if (done.has(file)) return
      for (const target of edges.get(file) ?? []) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
  })

  it('are in layers without a cycle', () => {
    const visit = (layer: string, path: readonly string[]): void => {
      expect(path, `a cycle through ${layer}`).not.toContain(layer)
      for (const target of ALLOWED[layer] ?? []) visit(target, [...path, layer])
    }
    for (const layer of Object.keys(ALLOWED)) visit(layer, [])
  })

  it('import only the packages that this test lists for their layer', () => {
    const packages = files.flatMap(file =>
      findImports(file)
        .filter(target => !target.startsWith('.'))
        .map(
          target =>
            `${layerOf(file)} ${target
              .split('/')
              .slice(0, target.startsWith('@') ? 2 : 1)
              .join('/')}`,
        ),
    )
    expect([...new Set(packages)].sort()).toEqual([
      'access @noble/ciphers',
      'access @noble/hashes',
      'access jose',
      'actions @noble/hashes',
      'cli node:crypto',
      'cli node:fs',
      'cli node:http',
      'cli node:module',
      'cli node:path',
      'cli node:timers',
      'cli node:url',
      'cli node:util',
      // These are bundled, so that users do not install them.
      'explorer/page @codemirror/autocomplete',
      'explorer/page @codemirror/commands',
      'explorer/page @codemirror/language',
      'explorer/page @codemirror/lint',
      'explorer/page @codemirror/state',
      'explorer/page @codemirror/view',
      'explorer/page @preact/signals',
      'explorer/page d3-force',
      'explorer/page d3-selection',
      'explorer/page d3-zoom',
      // The page shows this import in code snippets.
      'explorer/page kithgraph',
      'explorer/page preact',
      // This import is only for types, because the caller passes fast-check to the suite.
      'stores @noble/hashes',
      // A printed graph has this import.
      'tables kithgraph',
      'testing fast-check',
      'update immer',
      'write @noble/hashes',
    ])
  })

  it('have functions of at most 40 lines, except lists of tests', () => {
    const long = files
      .filter(file => !relative(SRC, file).startsWith('testing/sections/'))
      .flatMap(file => findFunctions(file).filter(({ lines }) => lines > 40))
    expect(long).toEqual([])
  })

  it('have at most 250 lines', () => {
    const long = files.filter(file => readFileSync(file, 'utf8').split('\n').length - 1 > 250)
    expect(long.map(file => relative(SRC, file))).toEqual([])
  })

  it('have no default export, no export *, no mutable state in a module, and no any or other unsafe types', () => {
    const banned =
      /^export default|^export \*|^(?:export )?let |\bas any\b|: any\b|@ts-ignore|@ts-expect-error|\w!\.|\w!;/
    const found = files.flatMap(file =>
      readCode(file)
        .split('\n')
        .filter(line => banned.test(line) && !line.trimStart().startsWith('//'))
        .map(line => `${relative(SRC, file)}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })
})
