import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const TESTS = fileURLToPath(new URL('..', import.meta.url))
const ID_KINDS = join(TESTS, 'helpers/id-kinds.ts')

/** The properties that have no ids, have one kind, or generate both kinds in another way, and why. */
const WITHOUT_KINDS = new Map([
  ['property/actions.test.ts', 'generates both kinds itself'],
  ['property/cursor-positions.test.ts', 'generates targets of both kinds itself'],
  ['property/expressions.test.ts', 'only parses expressions'],
  ['property/json-selections.test.ts', 'reads one fixed node'],
  ['property/named-ids.test.ts', 'is about both kinds'],
  ['property/property-settings.ts', 'only runs the properties of others'],
  ['property/renamed-ids.test.ts', 'is about both kinds'],
  ['property/tables-sqlite.test.ts', 'is about tables, which have named ids only'],
  ['property/tables-sqlite-conditions.test.ts', 'is about tables, which have named ids only'],
  ['property/text-limits.test.ts', 'has no node'],
  ['http/action-forms.test.ts', 'sends requests to one fixed graph'],
  ['http/action-fuzz.test.ts', 'sends requests to one fixed graph'],
  ['http/bodies.test.ts', 'only reads bodies'],
  ['http/body-meter.test.ts', 'only measures bodies'],
  ['http/equivalent-calls.test.ts', 'sends requests to one fixed graph'],
  ['http/fuzz.test.ts', 'sends requests to one fixed graph'],
  ['http/json-path.test.ts', 'only parses paths'],
  ['http/raw-fuzz.test.ts', 'sends requests to one fixed graph'],
  ['stores/postgres-server.test.ts', 'is about concurrent writers'],
  ['stores/tables-key-kinds.test.ts', 'is about tables, which have named ids only'],
  ['stores/tables-key-texts.test.ts', 'is about tables, which have named ids only'],
  ['stores/tables-made-up-cursors.test.ts', 'is about tables, which have named ids only'],
  ['stores/tables-read-ahead.test.ts', 'is about tables, which have named ids only'],
  ['stores/tables-rows-read.test.ts', 'is about tables, which have named ids only'],
  ['stores/tables-postgres.test.ts', 'is about tables, which have named ids only'],
  ['stores/redis-cluster.test.ts', 'is about Redis, which has digits only'],
  ['stores/redis/races.test.ts', 'is about Redis, which has digits only'],
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

/** The folders whose properties run on graphs. */
const FOLDERS = ['property', 'stores', 'http']

const sourceFilesIn = (folder: string): readonly string[] =>
  readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(TESTS, folder, name))

/** Whether a file checks generated cases. The suites of `kithgraph/testing` choose the kinds of ids themselves. */
const hasProperties = (file: string): boolean =>
  /\b(?:fc\.(?:assert|check)|assertReaching)\(/.test(readFileSync(file, 'utf8'))

it('every property of the engine runs with each kind of ids', () => {
  const withOneKind = FOLDERS.flatMap(sourceFilesIn)
    .filter(file => hasProperties(file) && !usesKinds(file))
    .map(file => relative(TESTS, file))
    .filter(file => !WITHOUT_KINDS.has(file))
  expect(withOneKind).toEqual([])
})

it('each property that is listed as one without kinds exists, and has none', () => {
  for (const file of WITHOUT_KINDS.keys()) expect(usesKinds(join(TESTS, file)), file).toBe(false)
})

it('no generated case has digits only, except for stores that have digits only', () => {
  const fixedKind = /\bids: 'digits'|constant\('digits'\)/
  const withDigitsOnly = [...FOLDERS, 'helpers']
    .flatMap(sourceFilesIn)
    .map(file => [relative(TESTS, file), readFileSync(file, 'utf8')] as const)
    .filter(([, text]) => text.includes("from 'fast-check'") && fixedKind.test(text))
    .map(([name]) => name)
  expect(withDigitsOnly).toEqual([])
})
