import fc from 'fast-check'
import { createGraph, defineFieldType, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ask, outcomeOf } from '../helpers/ask.ts'
import { VERSIONS, type World } from '../helpers/naive-graph/world.ts'
import { openWorld, schemaOf } from '../helpers/open-world.ts'
import { inquiries, type Question } from '../helpers/query-arbitraries.ts'
import { createWorld } from '../helpers/world.ts'
import { settings } from '../property/settings.ts'
import { answerAt, documentOf, schemaAt, valueAt, withJudges } from './openapi-judge.ts'
import { NODES } from './social-nodes.ts'

/** The parts of an answer whose types are known, each with the pointer to what describes them. */
const partsOf = (
  { nodes, viewer }: World,
  question: Question,
  answer: unknown,
): readonly (readonly [pointer: string, part: unknown])[] => {
  const typeOf = (id: string) => nodes.find(node => node.id === (id === 'me' ? viewer : id))?.type ?? ''
  switch (question.method) {
    case 'getMe':
      return [
        [answerAt('/me'), answer],
        [schemaAt(typeOf('me')), answer],
      ]
    case 'getNode':
      return [
        [answerAt('/{id}'), answer],
        [schemaAt(typeOf(question.id)), answer],
      ]
    case 'getNodes':
      return [
        [answerAt('/'), answer],
        ...Object.entries(Object(answer)).map(([id, one]) => [schemaAt(typeOf(id)), one] as const),
      ]
    case 'getEdge':
      return [
        [answerAt(`/{id}/${question.edge}`), answer],
        [`${schemaAt(typeOf(question.id))}/properties/${question.edge}`, answer],
      ]
  }
}

describe('the answers of a graph', () => {
  it('fit the document of its schema, whatever the schema, the data and the questions', async () => {
    await fc.assert(
      fc.asyncProperty(
        inquiries({ policed: true }),
        fc.constantFrom(...VERSIONS),
        async ({ world, asked }, version) => {
          const { graph, session } = await openWorld(world)
          await withJudges(documentOf(schemaOf(world.schema), version), async judgeAt => {
            for (const question of asked) {
              const outcome = await outcomeOf(() => ask(graph, session, { ...question, version }))
              if ('fault' in outcome) continue
              for (const [pointer, part] of partsOf(world, question, outcome.answer))
                expect((await judgeAt(pointer))(part), pointer).toEqual([])
            }
          })
        },
      ),
      settings(40),
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
  { silhouette: '/nobody.svg' },
)

const PARTS = Object.keys(everything.types.thing.fields)

/** A graph with a thing that has all that a thing can have, and likes itself. */
const graphOfEverything = async () => {
  const graph = createGraph(createMemoryStore(), { schema: everything })
  const fields = {
    text: '',
    digits: '007',
    bool: false,
    int: -1,
    float: 1.5e300,
    url: '/a b',
    datetime: -62_198_755_200_000,
    unixtime: 0,
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

describe('the document', () => {
  it('lets every type of value through as it is answered, and nothing else', async () => {
    const { graph, session } = await graphOfEverything()
    const answer = await graph.getNode(session, { id: '1', fields: [...PARTS, 'likes{at,role}'].join(',') })
    expect(Object.keys(answer)).toEqual([...PARTS, 'likes', 'id'])
    await withJudges(documentOf(everything), async judgeAt => {
      const judge = await judgeAt(schemaAt('thing'))
      expect(judge(answer)).toEqual([])
      // Of a type of the schema's author nothing is known.
      for (const part of Object.keys(answer).filter(part => part !== 'price')) {
        expect(judge({ ...answer, [part]: null }), part).not.toEqual([])
        expect(judge({ ...answer, [part]: [{}] }), part).not.toEqual([])
      }
      expect(judge({})).not.toEqual([])
      expect(judge({ ...answer, likes: { data: [{ id: '1', at: 'today' }] } })).not.toEqual([])
      expect(judge({ ...answer, object: { note: 'no width' } })).not.toEqual([])
      expect(judge({ ...answer, mood: 'merry' })).not.toEqual([])
      expect(judge({ ...answer, datetime: '2000-01-01T00:00:00Z' })).not.toEqual([])
    })
  })

  it('describes exactly what metadata tells', async () => {
    const { graph, ada } = await createWorld()
    const document = documentOf(socialSchema)
    for (const [type, id] of Object.entries(NODES)) {
      const { metadata } = Object(await graph.getNode(ada, { id, fields: 'id', metadata: true }))
      const properties = Object.keys(Object(valueAt(document, `${schemaAt(type)}/properties`)))
      const told = [
        ...metadata.fields.map(({ name }: { name: string }) => name),
        ...Object.keys(metadata.connections),
      ]
      expect(properties.toSorted()).toEqual([...told, 'metadata', '__debug__'].toSorted())
    }
  })
})
