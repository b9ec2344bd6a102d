import fc from 'fast-check'
import { update } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
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

/** Values in their stored form. */
const STORED = {
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
  friend: fc.constantFrom('1', '2'),
}

/** Values in other forms that a write accepts. */
const WRITTEN = {
  ...STORED,
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
}

const stored = fc.record(STORED, { requiredKeys: [] })
const undeclared = fc.dictionary(fc.constantFrom('nickname', 'old'), fc.oneof(text, tags, home))

const assignment: fc.Arbitrary<Recipe> = fc.oneof(
  ...Object.entries(WRITTEN).map(([name, value]) =>
    // A copy, because later steps change it.
    value.map(
      (written: unknown) => (values: Values) =>
        void Object.assign(values, { [name]: structuredClone(written) }),
    ),
  ),
)
const removal: fc.Arbitrary<Recipe> = fc
  .tuple(fc.constantFrom(...Object.keys(WRITTEN)), fc.constantFrom('delete', null, undefined))
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
const recipe: fc.Arbitrary<Recipe> = fc
  .array(fc.oneof(assignment, removal, innerAssignment), { maxLength: 6 })
  .map(steps => values => {
    for (const step of steps) step(values)
  })

/** Returns the fields that a write of the changed values stores. */
const writeDirectly = async (fields: JsonObject, change: Recipe): Promise<JsonObject | undefined> => {
  const { graph, fieldsOf } = createUpdatedGraph()
  const values: Values = structuredClone(fields)
  change(values)
  const present = Object.entries(values).filter(([, value]) => value !== null)
  await graph.write([
    {
      op: 'putNode',
      node: { id: '1', type: 'person', fields: { name: 'Ada', ...Object.fromEntries(present) } },
    },
  ])
  return fieldsOf('1')
}

describe('an update with a recipe of assignments', () => {
  it('stores the same fields as a write of the changed values, and changes no undeclared field', () =>
    fc.assert(
      fc.asyncProperty(stored, undeclared, recipe, async (fields, others, change) => {
        const { graph, putPerson, fieldsOf, written } = createUpdatedGraph()
        const before = { name: 'Ada', ...fields, ...others }
        putPerson('1', before)
        await update(graph, { type: 'person', id: '1' }, change)
        expect(fieldsOf('1')).toEqual({ ...(await writeDirectly(fields, change)), ...others })
        expect(written).toHaveLength(JSON.stringify(fieldsOf('1')) === JSON.stringify(before) ? 0 : 1)
      }),
      propertySettings(300),
    ))
})
