import { socialSchema } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, SCOPES } from '../helpers/world.ts'
import {
  createDocument,
  responsePointer,
  schemaPointer,
  valueAt,
  withValidators,
} from './openapi-validator.ts'
import { NODES } from './social-nodes.ts'

/** Returns the nodes that have the field or edge of a path. */
const nodesWith = (name: string): readonly string[] =>
  Object.entries(NODES).flatMap(([type, id]) =>
    Object.entries(socialSchema.types).some(
      ([ownerType, { fields, edges }]) => ownerType === type && (name in fields || name in edges),
    )
      ? [id]
      : [],
  )

/** Returns the requests for a path of the document. */
const requestsTo = (path: string, token: string): readonly string[] => {
  if (path === '/') return [`/?ids=${Object.values(NODES)}&metadata=1`]
  if (path === '/{id}') return Object.values(NODES).map(id => `/${id}?metadata=1&debug=all`)
  if (path === '/debug_token') return [`/debug_token?input_token=${token}`, '/debug_token?input_token=other']
  const [, root = '', name, target] = path.split('/')
  if (target !== undefined) {
    const sources = root === 'me' ? ['me'] : nodesWith(name ?? '')
    const targets = ['999', ...Object.values(NODES)]
    return sources.flatMap(id => targets.map(targetId => `/${id}/${name}/${targetId}?debug=all`))
  }
  if (root === 'me') return [`${path}?debug=all&redirect=0`]
  if (name === undefined) return [`${path}?ids=${nodesWith(root)}&summary=1`]
  return nodesWith(name).map(id => `/${id}/${name}?limit=2&summary=true&redirect=0`)
}

const serveDocument = async () => {
  const { graph } = await createWorld()
  const handler = createHandler(graph, { baseUrl: 'https://api.example/graph', basePath: '/graph' })
  const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
  const appToken = await graph.tokens.issue({ viewer: undefined, app: 'demo', scopes: [] })
  const send = async (path: string, init: RequestInit = {}, sender = token) => {
    const headers = { ...init.headers, authorization: `Bearer ${sender}` }
    return handler(new Request(`https://api.example/graph/v1.0${path}`, { ...init, headers }))
  }
  return { token, appToken, send }
}

describe('the OpenAPI document of a handler', () => {
  it('is served without a token, with the limits and the URL of the handler', async () => {
    const { graph } = await createWorld()
    const handler = createHandler(graph, { baseUrl: 'https://api.example/graph', limits: { batch: 7 } })
    const response = await handler(new Request('https://api.example/v9.9/openapi.json'))
    const batch = '/requestBody/content/application~1json/schema/properties/batch'
    const served: unknown = await response.json()
    expect(valueAt(served, `/paths/~1/post${batch}/maxItems`)).toBe(7)
    const { paths: _, ...rest } = createDocument(socialSchema)
    expect(served).toMatchObject(rest)
  })
})

describe('a response of a handler', () => {
  it('fits the OpenAPI document for every path', async () => {
    const { token, appToken, send } = await serveDocument()
    const document = createDocument(socialSchema)
    await withValidators(document, async validatorAt => {
      for (const path of Object.keys(Object(document.paths))) {
        const validator = await validatorAt(responsePointer(path))
        for (const request of requestsTo(path, token)) {
          const response = await send(request, {}, path === '/debug_token' ? appToken : token)
          const body: unknown = await response.json()
          expect([response.status, ...validator(body)], request).toEqual([200])
        }
      }
    })
  })

  it('is the documented redirection for a picture', async () => {
    const { send } = await serveDocument()
    const headers = valueAt(createDocument(socialSchema), '/paths/~1me~1picture/get/responses/302/headers')
    const response = await send('/me/picture?width=100')
    expect(response.status).toBe(302)
    expect(Object.keys(Object(headers))).toEqual(['Location'])
    expect(response.headers.get('location')).toBe('https://img.example/ada/100.jpg')
  })

  it('has only documented headers, except for those of HTTP', async () => {
    const { send } = await serveDocument()
    const headers = Object.keys(Object(valueAt(createDocument(socialSchema), '/components/headers')))
    const plain = ['cache-control', 'content-length', 'content-type', 'vary', 'x-content-type-options']
    for (const path of ['/me', '/nothing']) {
      const extraHeaders = [...(await send(path)).headers.keys()].filter(name => !plain.includes(name))
      expect(extraHeaders.length).toBeGreaterThan(0)
      for (const name of extraHeaders) expect(headers.map(header => header.toLowerCase())).toContain(name)
    }
  })

  it('fits the OpenAPI document for a batch, as a form and as JSON', async () => {
    const { send } = await serveDocument()
    const document = createDocument(socialSchema)
    const [example] = Object(valueAt(document, `${schemaPointer('BatchRequest')}/examples`))
    const batch = [example, { method: 'GET', relative_url: 'nothing' }]
    await withValidators(document, async validatorAt => {
      const validator = await validatorAt(responsePointer('/', 'post'))
      const json = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ batch }),
      }
      const form = {
        method: 'POST',
        body: new URLSearchParams({ batch: JSON.stringify(batch), include_headers: 'false' }),
      }
      for (const init of [json, form]) {
        const responses: unknown = await (await send('/', init)).json()
        expect(validator(responses)).toEqual([])
        expect(responses).toMatchObject([{ code: 200 }, { code: 400 }])
      }
    })
  })

  it('is the documented error for its status', async () => {
    const { send } = await serveDocument()
    const document = createDocument(socialSchema)
    const rejected = [
      ...(await Promise.all(
        ['/me?fields=nothing', '/999', '/me/nothing', '/me?limit=x&fields=a,a'].map(path => send(path)),
      )),
      await send('/me', {}, 'no token'),
      await send('/', { method: 'POST', body: new URLSearchParams({ batch: '{}' }) }),
    ]
    await withValidators(document, async validatorAt => {
      for (const response of rejected) {
        const pointer = `/components/responses/Errors${response.status}/content/application~1json`
        const body: unknown = await response.json()
        expect((await validatorAt(`${pointer}/schema`))(body)).toEqual([])
        const { reason } = Object(valueAt(body, '/error/error_data'))
        const { error } = Object(valueAt(document, `${pointer}/examples/${reason}/value`))
        expect(body).toMatchObject({ error: { type: error.type, code: error.code } })
      }
    })
  })
})
