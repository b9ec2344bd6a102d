import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const TESTS = fileURLToPath(new URL('..', import.meta.url))
const ID_KINDS = join(TESTS, 'helpers/id-kinds.ts')

/** The properties that run without the ids of nodes, or that generate both kinds in another way, and why. */
const WITHOUT_KINDS = new Map([
  ['property/cursor-positions.test.ts', 'generates targets of both kinds itself'],
  ['property/expressions.test.ts', 'only parses expressions'],
  ['property/named-ids.test.ts', 'is about both kinds'],
  ['property/renamed-ids.test.ts', 'is about both kinds'],
  ['property/text-limits.test.ts', 'has no node'],
])

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )

/** Whether a file uses the kinds of ids, or a file of the tests that it imports does. */
const usesKinds = (file: string, seen = new Set<string>()): boolean => {
  if (file === ID_KINDS) return true
  if (seen.has(file) || !file.startsWith(TESTS)) return false
  seen.add(file)
  return importsOf(file).some(imported => usesKinds(imported, seen))
}

it('every property of the engine runs with each kind of ids', () => {
  const files = readdirSync(join(TESTS, 'property')).filter(name => name.endsWith('.test.ts'))
  const withOneKind = files
    .map(name => join(TESTS, 'property', name))
    .filter(file => !usesKinds(file))
    .map(file => relative(TESTS, file))
    .filter(file => !WITHOUT_KINDS.has(file))
  expect(withOneKind).toEqual([])
})

it('each property that is listed as one without kinds exists, and has none', () => {
  for (const file of WITHOUT_KINDS.keys()) expect(usesKinds(join(TESTS, file)), file).toBe(false)
})
