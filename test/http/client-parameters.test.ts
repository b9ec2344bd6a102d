import { isGraphError } from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { describe, expect, it } from 'vitest'
import { CALL_PARAMETERS } from '../../src/base/call-parameters.ts'
import { type parameterSchema, serveParameters } from './parameter-world.ts'

const { graph, token, handler } = await serveParameters()

const urls: string[] = []
const createTestClient = (options: { readonly batch?: boolean; readonly tokenIn?: 'query' } = {}) =>
  createClient<typeof parameterSchema>('http://graph.test', {
    ...options,
    fetch: (url, init) => {
      urls.push(url)
      return handler(new Request(url, init))
    },
  })

type Remote = ReturnType<typeof createTestClient>
type EdgeApi = Pick<Remote, 'getEdge' | 'getEdges' | 'hasEdge' | 'iterateEdge'>

const collect = async (entries: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> => {
  const ids: string[] = []
  for await (const { id } of entries) ids.push(id)
  return ids
}

/** A call that sends any parameters, as untyped code may. */
const readVisits = (api: EdgeApi, parameters: object): Promise<unknown> =>
  api.getEdge(token, { id: 'me', edge: 'visits', parameters: parameters as { q?: string } })

/** Returns the error of a call as JSON without its trace id. */
const errorOf = async (call: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await call.then(
    result => ({ result }),
    reason => reason,
  )
  return isGraphError(error) ? { ...error.toJSON().error, fbtrace_id: '' } : error
}

const uploaded = { type: 'uploaded' } as const

describe('the parameters of an edge in a call of the client', () => {
  it.each<readonly [string, (api: EdgeApi) => Promise<unknown>]>([
    ['getEdge', api => api.getEdge(token, { id: 'me', edge: 'photos', parameters: uploaded, limit: 2 })],
    ['a default', api => api.getEdge(token, { id: '1', edge: 'photos', parameters: {} })],
    [
      'getEdges',
      api => api.getEdges(token, { ids: ['1', 'me'], type: 'person', edge: 'photos', parameters: uploaded }),
    ],
    [
      'hasEdge',
      api =>
        Promise.all(
          ['10', '14'].map(target =>
            api.hasEdge(token, { id: 'me', edge: 'photos', target, parameters: uploaded }),
          ),
        ),
    ],
    [
      'iterateEdge',
      api => collect(api.iterateEdge(token, { id: 'me', edge: 'photos', parameters: uploaded, limit: 1 })),
    ],
    ['a string', api => readVisits(api, { q: 'a&b=c+d' })],
    ['an empty string', api => readVisits(api, { q: '' })],
    ['white space', api => readVisits(api, { q: ' ' })],
    ['numbers', api => readVisits(api, { min: 3, factor: 0.75 })],
    ['a boolean', api => readVisits(api, { noted: false })],
    ['a Date', api => readVisits(api, { from: new Date(Date.UTC(2014, 0, 2, 0, 0, 0, 1)) })],
    ['a time as text', api => readVisits(api, { from: '2014-01-03' })],
    ['a time as a number', api => readVisits(api, { from: Date.UTC(2014, 0, 3) })],
    ['an id', api => readVisits(api, { except: '13' })],
    ['an id that no node has', api => readVisits(api, { except: '999' })],
    ['no value', api => readVisits(api, { q: undefined, min: undefined })],
  ])('have the same result as in-process, including links: %s', async (_name, read) => {
    const expected = await read(graph)
    expect(await read(createTestClient())).toEqual(expected)
    expect(await read(createTestClient({ batch: true }))).toEqual(expected)
  })

  it.each<readonly [string, object]>([
    ['an unknown parameter', { kind: 'x' }],
    ['an unknown word', { type: 'x' }],
    ['text for a number', { min: 'many' }],
    ['a fraction for an int', { min: 1.5 }],
    ['a number that is not finite', { factor: Number.NaN }],
    ['text for a boolean', { noted: 'maybe' }],
    ['text that is not a time', { from: 'soon' }],
    ['a Date for a number', { min: new Date(0) }],
    ['half of a surrogate pair', { q: '\ud800' }],
    ['a name of an inherited property', { constructor: 'x' }],
  ])('have the same error as in-process: %s', async (_name, parameters) => {
    const expected = await errorOf(readVisits(graph, parameters))
    expect(expected).toMatchObject({ error_data: { reason: 'invalid_parameter' } })
    expect(await errorOf(readVisits(createTestClient(), parameters))).toEqual(expected)
  })

  it.each<readonly [string, object]>([
    ['an array', { min: [5] }],
    ['null', { q: null }],
    ['an object', { q: {} }],
    ['an invalid Date', { from: new Date(Number.NaN) }],
  ])('are rejected before a request is sent if a value is %s', async (_name, parameters) => {
    const count = urls.length
    expect(await errorOf(readVisits(createTestClient(), parameters))).toMatchObject({
      error_data: { reason: 'invalid_parameter', parameter: Object.keys(parameters)[0] },
    })
    expect(urls).toHaveLength(count)
  })

  it('cannot have the name of a parameter of every call', async () => {
    const count = urls.length
    const client = createTestClient()
    for (const name of [...CALL_PARAMETERS, '_', '__proto', 'fields[]', 'fields[0]']) {
      const error = await errorOf(readVisits(client, { [name]: 'secret' }))
      if (!(error instanceof TypeError)) throw error
      expect(error.message).toBe(
        `getEdge: "parameters.${name}" must be a parameter of the edge; received a parameter that every call has`,
      )
    }
    const parameters = { limit: 1 } as object
    for (const call of [
      client.hasEdge(token, { id: 'me', edge: 'photos', target: '10', parameters }),
      client.getEdges(token, { ids: ['me'], edge: 'photos', parameters }),
      collect(client.iterateEdge(token, { id: 'me', edge: 'photos', parameters })),
    ])
      expect(await errorOf(call)).toBeInstanceOf(TypeError)
    expect(urls).toHaveLength(count)
  })

  it('are sent as query parameters, and in a form if they are long', async () => {
    const client = createTestClient()
    urls.length = 0
    await client.getEdge(token, { id: 'me', type: 'person', edge: 'photos', parameters: uploaded })
    await client.hasEdge(token, { id: 'me', edge: 'photos', target: '10', parameters: uploaded })
    const q = 'x'.repeat(3000)
    expect(await client.getEdge(token, { id: 'me', edge: 'visits', parameters: { q } })).toEqual({ data: [] })
    expect(urls).toEqual([
      'http://graph.test/me/photos?node_type=person&type=uploaded',
      'http://graph.test/me/photos/10?fields=id&type=uploaded',
      'http://graph.test/me/visits',
    ])
  })

  it.each<readonly [string, EdgeApi]>([
    ['the client', createTestClient()],
    ['the graph', graph],
  ])('are copied when an iteration begins, so that later changes have no effect: %s', async (_name, api) => {
    const parameters: { type: 'tagged' | 'uploaded' } = { type: 'uploaded' }
    const options = { id: 'me', edge: 'photos', parameters, limit: 1 } as const
    const ids: string[] = []
    for await (const { id } of api.iterateEdge(token, options)) {
      ids.push(id)
      parameters.type = 'tagged'
    }
    expect(ids).toEqual(['14', '13', '12'])
  })
})
