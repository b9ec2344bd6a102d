import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { parseJson } from './served-world.ts'

/** A schema whose edges have parameters of every kind. */
export const parameterSchema = defineSchema(
  {
    person: node({
      fields: { name: field.string({ default: true }), picture: field.picture() },
      edges: {
        photos: edge('photo', {
          description: 'The photos of a person.',
          parameters: {
            type: parameter.enum(['tagged', 'uploaded'], { default: 'tagged', description: 'The source.' }),
          },
          list: ({ type }) => (type === 'tagged' ? 'photos' : `photos_${type}`),
        }),
        visits: edge('photo', {
          fields: { note: field.string(), score: field.int() },
          parameters: {
            q: parameter.string({ description: 'A part of the note.' }),
            min: parameter.int(),
            factor: parameter.float({ default: 1 }),
            noted: parameter.bool(),
            from: parameter.datetime({ default: '2000-01-01' }),
            except: parameter.id({ types: ['photo'] }),
          },
          where: ({ data, time, target }, { q, min, factor, noted, from, except }) => {
            const note = typeof data.note === 'string' ? data.note : undefined
            const score = typeof data.score === 'number' ? data.score : 0
            return (
              (q === undefined || note === q) &&
              (min === undefined || score * factor >= min) &&
              (noted === undefined || (note !== undefined) === noted) &&
              time >= from &&
              target.id !== except
            )
          },
        }),
      },
    }),
    photo: node({
      fields: { name: field.string({ default: true }) },
      edges: {
        photos: edge('photo', {
          parameters: { type: parameter.enum(['older', 'newer'], { required: true }) },
          list: ({ type }) => `photos_${type}`,
        }),
        likes: edge('person'),
      },
    }),
  },
  { versions: ['v1.0'], viewers: ['person'], defaultPicture: '/nobody.svg' },
)

const ORIGIN = 'http://graph.test'
const DAY = 86_400_000
const START = Date.UTC(2014, 0, 1)

const VISITS = [
  { target: '10', data: { note: 'sun', score: 1 } },
  { target: '11', data: { note: '', score: 2 } },
  { target: '12', data: { score: 3 } },
  { target: '13', data: { note: 'a&b=c+d', score: 4 } },
] as const

/**
 * Serves a graph: person 1 has the photos 10 to 12 as tagged and 12 to 14 as uploaded, one day apart, and four
 * visits. Photo 10 has a newer photo.
 */
export const serveParameters = async () => {
  const store = createMemoryStore()
  const graph = createGraph(store, { schema: parameterSchema, secret: 'a secret of the tests' })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } },
    ...['10', '11', '12', '13', '14'].map(
      id => ({ op: 'putNode', node: { id, type: 'photo', fields: { name: `Photo ${id}` } } }) as const,
    ),
    ...VISITS.map(
      ({ target, data }, index) =>
        ({
          op: 'putEdge',
          edge: { source: '1', name: 'visits', target, data, time: START + index * DAY },
        }) as const,
    ),
    { op: 'putEdge', edge: { source: '10', name: 'likes', target: '1', time: START } },
  ])
  // The lists are written directly, because this test is only about reads.
  const put = (source: string, name: string, target: string, time: number) =>
    ({ op: 'putEdge', edge: { source, name, target, time } }) as const
  await store.write([
    ...['10', '11', '12'].map((target, index) => put('1', 'photos', target, START + index * DAY)),
    ...['12', '13', '14'].map((target, index) => put('1', 'photos_uploaded', target, START + index * DAY)),
    put('10', 'photos_newer', '11', START),
  ])
  const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })
  const handler = createHandler(graph)
  const read = async (path: string, init: RequestInit = {}) => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    const response = await handler(new Request(ORIGIN + path, { ...init, headers }))
    return parseJson({ text: await response.text() })
  }
  /** Returns the ids of a page, or the reason of the error. */
  const idsOf = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const { data, error } = await read(path, init)
    return data?.map(({ id }: { readonly id: string }) => id) ?? error.error_data.reason
  }
  return { graph, token, handler, read, idsOf }
}
