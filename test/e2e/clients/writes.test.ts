import { createServer } from 'node:http'
import { Facebook } from 'fb'
import { toNodeListener } from 'kithgraph/http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RawRequest, sendRawRequest } from '../../helpers/raw-request.ts'
import { createSocialHandler } from '../../helpers/social-actions.ts'
import { type RunningServer, startServer } from '../../helpers/start-server.ts'
import { ADA } from '../../helpers/world.ts'
import { startStandIn } from './stand-in-host.ts'
import { FORM, form } from './wire-client.ts'

const { graph, handler, token } = await createSocialHandler()
let server: RunningServer
let standIn: RunningServer
beforeAll(async () => {
  server = await startServer(createServer(toNodeListener(handler)))
  standIn = await startStandIn('graph.facebook.com', toNodeListener(handler))
  // The certificate is self-signed, and the client fb has no option for trusted certificates.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await Promise.all([server.stop(), standIn.stop()])
})

const send = async (path: string, request: RawRequest) => {
  const { status, text } = await sendRawRequest(server.origin, path, request)
  return { status, body: JSON.parse(text) }
}

const isPost = (value: unknown): value is { readonly id: string } =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'

/** Returns the id in the response of a client. */
const idIn = (value: unknown): string => (isPost(value) ? value.id : expect.fail(JSON.stringify(value)))

const readPost = (id: string) =>
  graph.getNode(token, { id, type: 'post', fields: 'message,from{id},likes{id}' })

const isDeleted = (id: string) => expect(readPost(id)).rejects.toMatchObject({ reason: 'node_not_found' })

describe('the client fb', () => {
  it('publishes, likes, comments, unlikes and deletes with its own calls', async () => {
    const fb = new Facebook({ accessToken: token, version: 'v2.5', proxy: standIn.origin })
    const id = idIn(await fb.api('me/feed', 'post', { message: 'Hello & ü' }))
    expect(await readPost(id)).toMatchObject({ message: 'Hello & ü', from: { id: ADA } })
    expect(await fb.api(`${id}/likes`, 'post', {})).toEqual({ success: true })
    expect((await readPost(id)).likes.data).toEqual([{ id: ADA }])
    idIn(await fb.api(`${id}/comments`, 'post', { message: 'Nice' }))
    expect(await fb.api(`${id}/likes`, 'delete', {})).toEqual({ success: true })
    expect((await readPost(id)).likes.data).toEqual([])
    expect(await fb.api(id, 'delete', {})).toEqual({ success: true })
    await isDeleted(id)
  })
})

/** The calls of a client as it sends them: the path and the request. */
type Calls = {
  readonly publish: (message: string) => readonly [path: string, request: RawRequest]
  readonly like: (id: string) => readonly [path: string, request: RawRequest]
  readonly remove: (id: string) => readonly [path: string, request: RawRequest]
}

/** Creates a request with a form that contains the token. */
const postForm = (
  fields: { readonly [name: string]: string } = {},
  headers: { readonly [name: string]: string } = FORM,
): RawRequest => ({
  method: 'POST',
  headers,
  body: form({ ...fields, access_token: token }),
})

const KOALA: Calls = {
  publish: message => ['/me/feed', postForm({ message })],
  like: id => [`/${id}/likes`, postForm()],
  remove: id => [`/${id}`, postForm({ method: 'delete' })],
}

const FACEBOOK_SDK: Calls = {
  publish: message => ['/v3.1/me/feed', postForm({ message })],
  like: id => [
    `/v3.1/${id}/likes?access_token=${token}`,
    { method: 'POST', headers: { 'Content-Length': '0' } },
  ],
  remove: id => [`/v3.1/${id}?access_token=${token}`, { method: 'DELETE' }],
}

const HUANDU: Calls = {
  publish: message => ['/v2.5/me/feed', postForm({ message, method: 'POST' })],
  like: id => [`/v2.5/${id}/likes`, postForm({ method: 'POST' })],
  remove: id => [`/v2.5/${id}`, postForm({ method: 'DELETE' })],
}

const RESTFB: Calls = {
  publish: message => ['/v3.2/me/feed', postForm({ message, format: 'json' })],
  like: id => [`/v3.2/${id}/likes`, postForm({ format: 'json' })],
  remove: id => [`/v3.2/${id}?access_token=${token}&format=json`, { method: 'DELETE' }],
}

/** It names no content type, and sends the method in the query. */
const FBGRAPH: Calls = {
  publish: message => ['/me/feed', postForm({ message }, {})],
  like: id => [`/${id}/likes`, postForm({}, {})],
  remove: id => [`/${id}?method=delete`, postForm({}, {})],
}

describe('a replay of the writes of', () => {
  it.each([
    ['Koala (Ruby), which sends the method as a parameter', KOALA],
    ['facebook-sdk (Python), which sends DELETE without a body', FACEBOOK_SDK],
    ['huandu/facebook (Go), which sends the method in upper case', HUANDU],
    ['restfb (Java), which sends a format', RESTFB],
    ['fbgraph (JavaScript), which sends no content type', FBGRAPH],
  ])('%s', async (_name, { publish, like, remove }) => {
    const { status, body } = await send(...publish('Hello & ü'))
    expect([status, body]).toEqual([200, { id: expect.any(String) }])
    expect(await readPost(body.id)).toMatchObject({ message: 'Hello & ü', from: { id: ADA } })
    expect((await send(...like(body.id))).body).toEqual({ success: true })
    expect((await readPost(body.id)).likes.data).toEqual([{ id: ADA }])
    expect((await send(...remove(body.id))).body).toEqual({ success: true })
    await isDeleted(body.id)
  })

  it('a batch, in which one request publishes and the next comments on the new post', async () => {
    const batch = JSON.stringify([
      { method: 'POST', name: 'new', relative_url: 'me/feed', body: 'message=Hello' },
      { method: 'POST', relative_url: '{result=new:$.id}/comments', body: 'message=First' },
      { method: 'GET', relative_url: '{result=new:$.id}?fields=comments{message}' },
      { method: 'DELETE', relative_url: '{result=new:$.id}' },
    ])
    const { body } = await send('/', {
      method: 'POST',
      headers: FORM,
      body: form({ access_token: token, batch }),
    })
    expect(body.map((item: { readonly code: number }) => item.code)).toEqual([200, 200, 200, 200])
    expect(JSON.parse(body[2].body).comments.data).toMatchObject([{ message: 'First' }])
  })
})
