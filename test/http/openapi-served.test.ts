import { socialSchema } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, createWorld, SCOPES } from '../helpers/world.ts'
import { answerAt, documentOf, schemaAt, valueAt, withJudges } from './openapi-judge.ts'
import { NODES } from './social-nodes.ts'

/** The nodes that a path with an id can be asked of. */
const holdersOf = (name: string): readonly string[] =>
  Object.entries(NODES).flatMap(([type, id]) =>
    Object.entries(socialSchema.types).some(
      ([holder, { fields, edges }]) => holder === type && (name in fields || name in edges),
    )
      ? [id]
      : [],
  )

/** The requests that a path of the document stands for. */
const requestsTo = (path: string, token: string): readonly string[] => {
  if (path === '/') return [`/?ids=${Object.values(NODES)}&metadata=1`]
  if (path === '/{id}') return Object.values(NODES).map(id => `/${id}?metadata=1&debug=all`)
  if (path === '/debug_token') return [`/debug_token?input_token=${token}`, '/debug_token?input_token=other']
  const [, root = '', name, target] = path.split('/')
  if (target !== undefined) {
    const sources = root === 'me' ? ['me'] : holdersOf(name ?? '')
    const targets = ['999', ...Object.values(NODES)]
    return sources.flatMap(id => targets.map(end => `/${id}/${name}/${end}?debug=all`))
  }
  if (root === 'me') return [`${path}?debug=all&redirect=0`]
  if (name === undefined) return [`${path}?ids=${holdersOf(root)}&summary=1`]
  return holdersOf(name).map(id => `/${id}/${name}?limit=2&summary=true&redirect=0`)
}

const served = async () => {
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

describe('a handler', () => {
  it('serves the document of each version to everyone, with the limits and the address that it has', async () => {
    const { graph } = await createWorld()
    const handler = createHandler(graph, { baseUrl: 'https://api.example/graph', limits: { batch: 7 } })
    const response = await handler(new Request('https://api.example/v9.9/openapi.json'))
    const batch = '/requestBody/content/application~1json/schema/properties/batch'
    const served: unknown = await response.json()
    expect(valueAt(served, `/paths/~1/post${batch}/maxItems`)).toBe(7)
    const { paths: _, ...rest } = documentOf(socialSchema)
    expect(served).toMatchObject(rest)
  })
})

describe('what a handler answers', () => {
  it('on every path of the document is what stands there', async () => {
    const { token, appToken, send } = await served()
    const document = documentOf(socialSchema)
    await withJudges(document, async judgeAt => {
      for (const path of Object.keys(Object(document.paths))) {
        const judge = await judgeAt(answerAt(path))
        for (const request of requestsTo(path, token)) {
          const response = await send(request, {}, path === '/debug_token' ? appToken : token)
          const body: unknown = await response.json()
          expect([response.status, ...judge(body)], request).toEqual([200])
        }
      }
    })
  })

  it('for a picture is a redirection to it, with the headers that stand there', async () => {
    const { send } = await served()
    const headers = valueAt(documentOf(socialSchema), '/paths/~1me~1picture/get/responses/302/headers')
    const response = await send('/me/picture?width=100')
    expect(response.status).toBe(302)
    expect(Object.keys(Object(headers))).toEqual(['Location'])
    expect(response.headers.get('location')).toBe('https://img.example/ada/100.jpg')
  })

  it('has the headers that stand there', async () => {
    const { send } = await served()
    const headers = Object.keys(Object(valueAt(documentOf(socialSchema), '/components/headers')))
    const plain = ['cache-control', 'content-length', 'content-type', 'vary', 'x-content-type-options']
    for (const path of ['/me', '/nothing']) {
      const told = [...(await send(path)).headers.keys()].filter(name => !plain.includes(name))
      expect(told.length).toBeGreaterThan(0)
      for (const name of told) expect(headers.map(header => header.toLowerCase())).toContain(name)
    }
  })

  it('to a batch, as a form and as JSON, is what stands there', async () => {
    const { send } = await served()
    const document = documentOf(socialSchema)
    const [example] = Object(valueAt(document, `${schemaAt('BatchRequest')}/examples`))
    const batch = [example, { method: 'GET', relative_url: 'nothing' }]
    await withJudges(document, async judgeAt => {
      const judge = await judgeAt(answerAt('/', 'post'))
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
        const answers: unknown = await (await send('/', init)).json()
        expect(judge(answers)).toEqual([])
        expect(answers).toMatchObject([{ code: 200 }, { code: 400 }])
      }
    })
  })

  it('where it refuses is the fault that stands there for its status', async () => {
    const { send } = await served()
    const document = documentOf(socialSchema)
    const refused = [
      ...(await Promise.all(
        ['/me?fields=nothing', '/999', '/me/nothing', '/me?limit=x&fields=a,a'].map(path => send(path)),
      )),
      await send('/me', {}, 'no token'),
      await send('/', { method: 'POST', body: new URLSearchParams({ batch: '{}' }) }),
    ]
    await withJudges(document, async judgeAt => {
      for (const response of refused) {
        const pointer = `/components/responses/Faults${response.status}/content/application~1json`
        const body: unknown = await response.json()
        expect((await judgeAt(`${pointer}/schema`))(body)).toEqual([])
        const { reason } = Object(valueAt(body, '/error/error_data'))
        const { error } = Object(valueAt(document, `${pointer}/examples/${reason}/value`))
        expect(body).toMatchObject({ error: { type: error.type, code: error.code } })
      }
    })
  })
})
