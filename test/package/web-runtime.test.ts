import { resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The code of a service on a Web runtime, which creates a graph there. */
const SERVICE = `
  import { createGraph } from './src/index.ts'
  import { createClient } from './src/client/index.ts'
  import { createExplorer } from './src/explorer/index.ts'
  import { createHandler } from './src/http/index.ts'
  import { createMemoryStore } from './src/stores/memory/index.ts'

  export const start = async () => {
    const graph = createGraph(createMemoryStore())
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
      { op: 'putNode', node: { id: '2', type: 'photo', fields: { created_time: 0, from: '1' } } },
      { op: 'putEdge', edge: { source: '1', name: 'photos', target: '2', time: 0 } },
    ])
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
    const handler = createHandler(graph)
    const client = createClient('https://api.example', { fetch: (url, init) => handler(new Request(url, init)) })
    const explorer = createExplorer(graph, { graphPath: '/' })
    return { handler, client, explorer, token }
  }`

/** The globals that all Web runtimes have in addition to those of the language. Node has more. */
const GLOBALS = {
  AbortController,
  AbortSignal,
  Blob,
  DecompressionStream,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  console,
  crypto,
  fetch,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone,
}

type Service = {
  readonly handler: (request: Request) => Promise<Response>
  readonly explorer: (request: Request) => Promise<Response>
  readonly client: { getMe(token: string, call: object): Promise<unknown> }
  readonly token: string
}

const isService = (value: unknown): value is Service =>
  typeof value === 'object' &&
  value !== null &&
  'handler' in value &&
  'client' in value &&
  'explorer' in value &&
  'token' in value

const bundle = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'service',
    platform: 'neutral',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

describe('a graph over HTTP in a runtime with Web globals only', () => {
  let service: Service
  beforeAll(async () => {
    const context = createContext({ ...GLOBALS })
    runInContext(await bundle(SERVICE), context)
    const started: unknown = await runInContext('service.start()', context)
    if (!isService(started)) throw new Error('The service did not start')
    service = started
  })

  const requestService = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${service.token}`, ...init.headers }
    const response = await service.handler(new Request(`https://api.example${path}`, { ...init, headers }))
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  it('runs without the globals process, Buffer, require and global', () => {
    const found = runInContext(
      '[typeof process, typeof Buffer, typeof require, typeof global]',
      createContext({ ...GLOBALS }),
    )
    expect([...found]).toEqual(['undefined', 'undefined', 'undefined', 'undefined'])
  })

  it('returns a node with nested edges and absolute links', async () => {
    const { status, headers, body } = await requestService(
      '/v1.0/me?fields=name,photos.limit(1){from}&metadata=1',
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Ada', photos: { data: [{ from: { name: 'Ada' }, id: '2' }] } })
    expect(body.metadata.connections.photos).toMatch(/^https:\/\/api\.example\/v1\.0\/1\/photos/)
    expect(headers.get('etag')).toMatch(/^".+"$/)
  })

  it.each([
    ['a form', (batch: string) => new URLSearchParams({ batch })],
    [
      'a multipart form',
      (batch: string) => {
        const form = new FormData()
        form.set('batch', batch)
        return form
      },
    ],
    ['bytes', (batch: string) => new TextEncoder().encode(`batch=${encodeURIComponent(batch)}`)],
  ])('responds to a batch sent as %s', async (_, bodyOf) => {
    const batch = JSON.stringify([
      { relative_url: 'me/photos?fields=id', name: 'photos' },
      { relative_url: '?ids={result=photos:$.data.*.id}&fields=id' },
    ])
    const { body } = await requestService('/', { method: 'POST', body: bodyOf(batch) })
    expect([body[0], JSON.parse(body[1].body)]).toEqual([null, { '2': { id: '2' } }])
  })

  it('returns the code of an error and suggestions for a misspelt field', async () => {
    const { status, body } = await requestService('/me?fields=nmae')
    expect([status, body.error.code, body.error.error_data.suggestions]).toEqual([400, 100, ['name']])
  })

  it('serves the Explorer, compressed or not', async () => {
    const get = (name: string, headers = {}) =>
      service.explorer(new Request(`https://api.example/explorer/${name}`, { headers }))
    const [script = ''] = /app-\w+\.js/.exec(await (await get('')).text()) ?? []
    const compressed = await (await get(script, { 'Accept-Encoding': 'gzip' })).arrayBuffer()
    const plain = await (await get(script)).arrayBuffer()
    expect(plain.byteLength).toBeGreaterThan(compressed.byteLength)
    expect(await (await get('plan.json?type=user')).json()).toMatchObject({ reads: 1 })
  })

  it('serves the client, which returns a result and throws the error of an invalid token', async () => {
    expect(await service.client.getMe(service.token, { fields: 'name' })).toEqual({ name: 'Ada', id: '1' })
    await expect(service.client.getMe('nobody', {})).rejects.toMatchObject({ code: 190 })
  })
})
