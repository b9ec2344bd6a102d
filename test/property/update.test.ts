import fc from 'fast-check'
import { update } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { idKinds, idOf } from '../helpers/id-kinds.ts'
import { createUpdatedGraph } from '../unit/update/updated-graph.ts'
import { propertySettings } from './property-settings.ts'

/** A draft, or a plain object with the same values. */
type Values = { [name: string]: unknown }
type Recipe = (values: Values) => void

const text = fc.string({ unit: 'grapheme', maxLength: 3 })
const int = fc.integer({ min: -3, max: 3 })
const time = fc.integer({ min: 0, max: 3 }).map(day => day * 86_400_000)
const birthday = fc.record({
  date: fc.constantFrom('1990-01-01', '1991-02-03'),
  show: fc.constantFrom('full', 'year'),
})
const floor = fc.record({ doors: int, open: fc.boolean() }, { requiredKeys: [] })
const home = fc.record(
  { street: text, floors: fc.array(floor, { maxLength: 3 }) },
  { requiredKeys: ['street'] },
)
const tags = fc.array(text, { maxLength: 3 })

/** Values in their stored form, in a graph with a kind of ids. */
const createStored = (kind: IdKind) => ({
  about: text,
  tags,
  visits: int,
  rating: fc.constantFrom(0.5, 1),
  seen: time,
  born: birthday,
  level: fc.constantFrom('low', 'high'),
  scores: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), int, { maxKeys: 3 }),
  home,
  savings: fc.constantFrom('1.00 EUR', '2.50 EUR'),
  friend: fc.constantFrom(idOf(kind, 'person', '1'), idOf(kind, 'person', '2')),
})

/** Values in other forms that a write accepts. */
const createWritten = (kind: IdKind) => ({
  ...createStored(kind),
  seen: fc.oneof(
    time,
    time.map(ms => new Date(ms)),
    time.map(ms => new Date(ms).toISOString()),
  ),
  born: fc.oneof(birthday, fc.constantFrom('1990-01-01', '05/17', '1990')),
  picture: fc.record({
    url: fc.constant('/a.png'),
    width: fc.integer({ min: 1, max: 3 }),
    height: fc.constant(1),
  }),
})

const undeclared = fc.dictionary(fc.constantFrom('nickname', 'old'), fc.oneof(text, tags, home))

const createAssignments = (kind: IdKind): fc.Arbitrary<Recipe> =>
  fc.oneof(
    ...Object.entries(createWritten(kind)).map(([name, value]) =>
      // A copy, because later steps change it.
      value.map(
        (written: unknown) => (values: Values) =>
          void Object.assign(values, { [name]: structuredClone(written) }),
      ),
    ),
  )
const removal: fc.Arbitrary<Recipe> = fc
  .tuple(fc.constantFrom(...Object.keys(createWritten('digits'))), fc.constantFrom('delete', null, undefined))
  .map(([name, how]) => values => {
    if (how === 'delete') delete values[name]
    else values[name] = how
  })
/** Assignments inside values: to items of arrays, members of objects and values of maps. */
const innerAssignment: fc.Arbitrary<Recipe> = fc.oneof(
  text.map(
    (tag): Recipe =>
      values =>
        void (Array.isArray(values.tags) && values.tags.push(tag)),
  ),
  fc.constant<Recipe>(values => void (Array.isArray(values.tags) && values.tags.splice(0, 1))),
  fc.tuple(fc.constantFrom('a', 'b'), int).map(
    ([key, score]): Recipe =>
      values => {
        if (values.scores) Object.assign(values.scores, { [key]: score })
      },
  ),
  int.map(
    (doors): Recipe =>
      values => {
        const floors: unknown = Object(values.home).floors
        if (Array.isArray(floors) && floors.length > 0) Object.assign(floors.at(-1), { doors })
      },
  ),
  text.map(
    (street): Recipe =>
      values => {
        const floors: unknown = Object(values.home).floors
        values.home = floors === undefined ? { street } : { street, floors }
      },
  ),
)
const createRecipes = (kind: IdKind): fc.Arbitrary<Recipe> =>
  fc
    .array(fc.oneof(createAssignments(kind), removal, innerAssignment), { maxLength: 6 })
    .map(steps => values => {
      for (const step of steps) step(values)
    })

/** A kind of ids, the fields of a person, and a change of them. */
const cases = idKinds.chain(kind =>
  fc.record({
    kind: fc.constant(kind),
    fields: fc.record(createStored(kind), { requiredKeys: [] }),
    others: undeclared,
    change: createRecipes(kind),
  }),
)

/** Returns the fields that a write of the changed values stores. */
const writeDirectly = async (
  kind: IdKind,
  fields: JsonObject,
  change: Recipe,
): Promise<JsonObject | undefined> => {
  const { graph, fieldsOf } = createUpdatedGraph(kind)
  const id = idOf(kind, 'person', '1')
  const values: Values = structuredClone(fields)
  change(values)
  const present = Object.entries(values).filter(([, value]) => value !== null)
  await graph.write([
    {
      op: 'putNode',
      node: { id, type: 'person', fields: { name: 'Ada', ...Object.fromEntries(present) } },
    },
  ])
  return fieldsOf(id)
}

describe('an update with a recipe of assignments', () => {
  it('stores the same fields as a write of the changed values, and changes no undeclared field', () =>
    fc.assert(
      fc.asyncProperty(cases, async ({ kind, fields, others, change }) => {
        const { graph, putPerson, fieldsOf, written } = createUpdatedGraph(kind)
        const id = idOf(kind, 'person', '1')
        const before = { name: 'Ada', ...fields, ...others }
        putPerson(id, before)
        await update(graph, { type: 'person', id }, change)
        expect(fieldsOf(id)).toEqual({ ...(await writeDirectly(kind, fields, change)), ...others })
        expect(written).toHaveLength(JSON.stringify(fieldsOf(id)) === JSON.stringify(before) ? 0 : 1)
      }),
      propertySettings(300),
    ))
})
