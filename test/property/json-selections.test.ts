import fc from 'fast-check'
import { createGraph, defineSchema, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { expect, it } from 'vitest'
import type { JsonValue } from '../../src/base/json.ts'
import { callUntyped } from '../unit/abuse/expect-graph-error.ts'
import { propertySettings } from './property-settings.ts'

/** The selected names, each with what is selected below it. */
type Selection = ReadonlyMap<string, Selection | undefined>

const NAMES = ['a', 'b', 'c', '__proto__', 'constructor']

const { selection } = fc.letrec<{ selection: Selection }>(tie => ({
  selection: fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom(...NAMES),
        fc.option(tie('selection'), { nil: undefined, depthSize: 'small' }),
      ),
      {
        selector: ([name]) => name,
        minLength: 1,
        maxLength: 3,
        depthIdentifier: 'selection',
      },
    )
    .map(entries => new Map(entries)),
}))

const scalar = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null))

const { json } = fc.letrec<{ json: JsonValue }>(tie => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const toText = (names: Selection): string =>
  [...names].map(([name, below]) => (below === undefined ? name : `${name}{${toText(below)}}`)).join()

/** Selects the parts of a value: each object has the selected members that it has, and anything else is dropped. */
const select = (value: JsonValue, names: Selection): readonly JsonValue[] => {
  if (Array.isArray(value)) return [value.flatMap((item: JsonValue) => select(item, names))]
  if (typeof value !== 'object' || value === null) return []
  const members = new Map<string, JsonValue>(Object.entries(value))
  const selected = [...names].flatMap(([name, below]) => {
    const member = members.get(name)
    if (member === undefined) return []
    return (below === undefined ? [member] : select(member, below)).map(part => [name, part] as const)
  })
  return [Object.fromEntries(selected)]
}

const schema = defineSchema({ item: node({ fields: { json: field.json() } }) })

it('a selection inside JSON returns the selected members of its objects, at any depth and of each element', async () => {
  await fc.assert(
    fc.asyncProperty(
      json.filter(value => value !== null),
      selection,
      async (value, names) => {
        const graph = createGraph(createMemoryStore(), { schema, limits: { depth: 100 } })
        await callUntyped(graph.write, [
          { op: 'putNode', node: { id: '1', type: 'item', fields: { json: value } } },
        ])
        const session = graph.session({ app: 'tests' })
        const read = await callUntyped(graph.getNode, session, { id: '1', fields: `json{${toText(names)}}` })
        const [expected] = select(value, names)
        expect(read).toEqual(expected === undefined ? { id: '1' } : { json: expected, id: '1' })
      },
    ),
    propertySettings(),
  )
})
