import fc from 'fast-check'
import { createGraph, defineFieldType, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import { ROOT } from '../helpers/naive-graph/collections.ts'
import { VERSIONS, type World } from '../helpers/naive-graph/world.ts'
import { createSchema, openWorld } from '../helpers/open-world.ts'
import { type CallSpec, worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { createWorld } from '../helpers/world.ts'
import { propertySettings } from '../property/property-settings.ts'
import {
  createDocument,
  responsePointer,
  schemaPointer,
  valueAt,
  withValidators,
} from './openapi-validator.ts'
import { NODES } from './social-nodes.ts'

/** Returns the parts of a result whose types are known, each with the pointer to its schema. */
const responsePartsOf = (
  { nodes, viewer }: World,
  callSpec: CallSpec,
  response: unknown,
): readonly (readonly [pointer: string, part: unknown])[] => {
  const typeOf = (id: string) => nodes.find(node => node.id === (id === 'me' ? viewer : id))?.type ?? ''
  const pathOf = (id: string): string => (id === ROOT ? '/root' : '/{id}')
  switch (callSpec.method) {
    case 'getMe':
      return [
        [responsePointer('/me'), response],
        [schemaPointer(typeOf('me')), response],
      ]
    case 'getNode':
      return [
        [responsePointer(pathOf(callSpec.id)), response],
        [schemaPointer(typeOf(callSpec.id)), response],
      ]
    case 'getNodes':
      return [
        // The document describes the responses for ids of stored nodes.
        ...(callSpec.ids.includes(ROOT) ? [] : [[responsePointer('/'), response] as const]),
        ...Object.entries(Object(response)).map(([id, one]) => [schemaPointer(typeOf(id)), one] as const),
      ]
    case 'getEdge':
      return [
        [responsePointer(`${pathOf(callSpec.id)}/${callSpec.edge}`), response],
        [`${schemaPointer(typeOf(callSpec.id))}/properties/${callSpec.edge}`, response],
      ]
  }
}

describe('the results of a graph', () => {
  it('fit the OpenAPI document of its schema, whatever the schema, the data and the calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasPolicies: true }),
        fc.constantFrom(...VERSIONS),
        async ({ world, calls }, version) => {
          const { graph, session } = await openWorld(world)
          await withValidators(createDocument(createSchema(world.schema), version), async validatorAt => {
            for (const callSpec of calls) {
              const outcome = await captureOutcome(() => callGraph(graph, session, { ...callSpec, version }))
              if ('reason' in outcome) continue
              for (const [pointer, part] of responsePartsOf(world, callSpec, outcome.result))
                expect((await validatorAt(pointer))(part), pointer).toEqual([])
            }
          })
        },
      ),
      propertySettings(40),
    )
  })
})

const money = defineFieldType({
  name: 'money',
  expected: 'cents',
  parse: (value: number) => value,
  serialize: cents => ({ amount: cents / 100 }),
})

const everything = defineSchema(
  {
    thing: node({
      fields: {
        text: field.string(),
        digits: field.numericString(),
        bool: field.bool(),
        int: field.int(),
        float: field.float(),
        url: field.url(),
        datetime: field.datetime(),
        unixtime: field.unixtime(),
        day: field.date(),
        json: field.json(),
        born: field.birthday(),
        age: field.ageRange({ from: 'born' }),
        picture: field.picture(),
        mood: field.enum(['calm', 'cross']),
        list: field.list(field.int()),
        map: field.map(field.list(field.bool())),
        object: field.object({ width: field.int({ required: true }), note: field.string() }),
        owner: field.ref('thing'),
        liked: field.viewerEdge('likes'),
        price: field.of(money),
      },
      edges: { likes: edge('thing', { fields: { at: field.edgeTime(), role: field.string() } }) },
    }),
  },
  { defaultPicture: '/nobody.svg' },
)

const RESPONSE_PARTS = Object.keys(everything.types.thing.fields)

/** Creates a graph with a thing that has every field and likes itself. */
const createGraphOfEverything = async () => {
  const graph = createGraph(createMemoryStore(), { schema: everything })
  const fields = {
    text: '',
    digits: '-007.10',
    bool: false,
    int: -1,
    float: 1.5e300,
    url: '/a b',
    datetime: -62_198_755_200_000,
    unixtime: 0,
    day: '0001-01-01',
    json: { any: [null, { text: '' }] },
    born: { date: '1990-12-10', show: 'day' },
    mood: 'cross',
    list: [1],
    map: { any: [true] },
    object: { width: 1 },
    owner: '1',
    price: 1250,
  } as const
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'thing', fields } },
    { op: 'putEdge', edge: { source: '1', name: 'likes', target: '1', time: 0, data: { role: 'self' } } },
  ])
  return { graph, session: graph.session({ viewer: '1', app: 'demo', scopes: [] }) }
}

describe('the OpenAPI document of a schema', () => {
  it('accepts every type of value as a graph returns it, and nothing else', async () => {
    const { graph, session } = await createGraphOfEverything()
    const response = await graph.getNode(session, {
      id: '1',
      fields: [...RESPONSE_PARTS, 'likes{at,role}'].join(','),
    })
    expect(Object.keys(response)).toEqual([...RESPONSE_PARTS, 'likes', 'id'])
    await withValidators(createDocument(everything), async validatorAt => {
      const validator = await validatorAt(schemaPointer('thing'))
      expect(validator(response)).toEqual([])
      // The document does not describe the values of a custom type, and JSON may be anything.
      for (const part of Object.keys(response).filter(part => !['price', 'json'].includes(part))) {
        expect(validator({ ...response, [part]: null }), part).not.toEqual([])
        expect(validator({ ...response, [part]: [{}] }), part).not.toEqual([])
      }
      expect(validator({})).not.toEqual([])
      expect(validator({ ...response, likes: { data: [{ id: '1', at: 'today' }] } })).not.toEqual([])
      expect(validator({ ...response, object: { note: 'no width' } })).not.toEqual([])
      expect(validator({ ...response, mood: 'merry' })).not.toEqual([])
      expect(validator({ ...response, datetime: '2000-01-01T00:00:00Z' })).not.toEqual([])
    })
  })

  it('describes exactly the fields and edges that metadata lists', async () => {
    const { graph, ada } = await createWorld()
    const document = createDocument(socialSchema)
    for (const [type, id] of Object.entries(NODES)) {
      const { metadata } = Object(await graph.getNode(ada, { id, fields: 'id', metadata: true }))
      const properties = Object.keys(Object(valueAt(document, `${schemaPointer(type)}/properties`)))
      const descriptions = [
        ...metadata.fields.map(({ name }: { name: string }) => name),
        ...Object.keys(metadata.connections),
      ]
      expect(properties.toSorted()).toEqual([...descriptions, 'metadata', '__debug__'].toSorted())
    }
  })
})
