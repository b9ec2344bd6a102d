import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '../../src')

/** Which layers each layer may import; every file may import from its own. */
const ALLOWED: { readonly [layer: string]: readonly string[] } = {
  base: [],
  fields: ['base'],
  store: ['base'],
  // Rules and computed fields of a schema see records, whose types are the store's.
  schema: ['base', 'store'],
  access: ['base', 'store', 'schema', 'fields'],
  plan: ['base', 'store', 'schema', 'fields', 'access'],
  execute: ['base', 'store', 'schema', 'fields', 'access', 'plan'],
  write: ['base', 'store', 'schema', 'fields', 'access', 'plan'],
  graph: ['base', 'store', 'schema', 'fields', 'access', 'plan', 'execute', 'write', 'interface'],
  interface: ['base', 'store', 'schema', 'fields', 'access', 'plan', 'execute', 'write'],
  stores: ['base', 'store'],
  http: ['base', 'store', 'schema', 'fields', 'access', 'plan', 'execute', 'interface', 'graph'],
  client: ['base', 'schema', 'execute', 'interface'],
  explorer: ['base', 'fields', 'schema', 'plan', 'execute', 'graph'],
  // It runs in a browser: of the rest it knows what an expression is, and what the Explorer's handler answers.
  'explorer/page': ['base', 'fields', 'explorer'],
  testing: ['base', 'store'],
}

/** Files at the top are the composition root and the surface. */
const layerOf = (file: string): string => {
  const path = relative(SRC, file)
  if (path.startsWith('explorer/page/')) return 'explorer/page'
  return path.includes('/') ? (path.split('/')[0] ?? '') : 'graph'
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(entry => join(entry.parentPath, entry.name))

/** A file without its comments, whose examples import things too. */
const codeOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')

const importsOf = (file: string): string[] =>
  [...codeOf(file).matchAll(/^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'/gm)].map(
    match => match[1] ?? match[2] ?? '',
  )

describe('the layers of src', () => {
  it('import one way', () => {
    const wrong = files.flatMap(file =>
      importsOf(file)
        .filter(target => target.startsWith('.'))
        .map(target => layerOf(resolve(dirname(file), target)))
        .filter(layer => layer !== layerOf(file) && !ALLOWED[layerOf(file)]?.includes(layer))
        .map(layer => `${relative(SRC, file)} imports ${layer}`),
    )
    expect(wrong).toEqual([])
  })

  it('have no cycle between files, not even of types', () => {
    const edges = new Map(
      files.map(file => {
        const targets = importsOf(file)
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

  it('import packages only where they are meant to be', () => {
    const packages = files.flatMap(file =>
      importsOf(file)
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
      // Bundled, so that nobody installs them.
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
      // In the code that it shows to copy.
      'explorer/page kithgraph',
      'explorer/page preact',
      'stores immer',
      // Types alone: fast-check itself is handed to the suite.
      'testing fast-check',
    ])
  })

  it('have files of at most 250 lines', () => {
    const long = files.filter(file => readFileSync(file, 'utf8').split('\n').length - 1 > 250)
    expect(long.map(file => relative(SRC, file))).toEqual([])
  })

  it('have no default export, no export *, no mutable state in a module, no any and no escape from types', () => {
    const banned =
      /^export default|^export \*|^(?:export )?let |\bas any\b|: any\b|@ts-ignore|@ts-expect-error|\w!\.|\w!;/
    const found = files.flatMap(file =>
      codeOf(file)
        .split('\n')
        .filter(line => banned.test(line) && !line.trimStart().startsWith('//'))
        .map(line => `${relative(SRC, file)}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })
})
