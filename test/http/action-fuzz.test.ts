import fc, { type Arbitrary } from 'fast-check'
import type { WireRequest } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { type ActionRun, ADA, EVENT, GRACE, HIDDEN_PHOTO, PHOTO, POST } from '../helpers/action-world.ts'
import { propertySettings } from '../property/property-settings.ts'
import { anyText, toQuery } from './call-arbitraries.ts'
import { serveActions } from './served-actions.ts'

const TOKENS = ['ada', 'weak', 'grace', 'app', 'wrong', 'none'] as const

type Call = {
  readonly method: string
  readonly path: string
  readonly fields: { readonly [name: string]: string }
}

const some = <T>(arbitrary: Arbitrary<T>, common: readonly T[]): Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...common) }, { weight: 1, arbitrary })

const id = some(anyText, ['me', ADA, GRACE, PHOTO, HIDDEN_PHOTO, POST, EVENT, 'root', '404', '0'])
const name = some(anyText, [
  ...['feed', 'likes', 'events', 'task', 'fail', 'upload', 'friends'],
  ...['update', 'delete', 'picture', 'permissions', 'feed.add'],
])

const path = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('/', '/openapi.json', '/debug_token', '/v1.0/me/feed') },
  { weight: 4, arbitrary: id.map(source => `/${source}`) },
  { weight: 8, arbitrary: fc.tuple(id, name).map(parts => `/${parts.join('/')}`) },
  { weight: 2, arbitrary: fc.tuple(id, name, id).map(parts => `/${parts.join('/')}`) },
)

const text = some(anyText, ['Hello', '', 'x'.repeat(101), '1', 'null', '[]', '["a"]', '{}'])

const parameters = fc.record(
  {
    message: text,
    about: text,
    value: some(text, ['1', '5']),
    tags: some(text, ['["a","b"]', 'a,b', '[1]']),
    photo: id,
    target: id,
    title: text,
    start_time: some(text, ['2026-01-01', '5']),
    method: fc.constantFrom('get', 'post', 'POST', 'delete', 'DELETE', 'head', 'put', ''),
    fields: some(text, ['id', 'message,from{name}', 'name', '']),
    ids: some(text, [ADA]),
    node_type: fc.constantFrom('user', 'post', 'nothing'),
    idempotency_key: text,
    unknown: text,
    batch: text,
    pretty: fc.constantFrom('1', 'x'),
  },
  { requiredKeys: [] },
)

/** Calls that are nearly right. */
const usualCall = fc.constantFrom<Call>(
  { method: 'POST', path: '/me/feed', fields: { message: 'Hello' } },
  { method: 'POST', path: '/me/feed', fields: { message: 'Hello', photo: PHOTO, fields: 'message' } },
  { method: 'POST', path: `/${GRACE}/feed`, fields: { message: 'Hello', photo: HIDDEN_PHOTO } },
  { method: 'POST', path: '/me', fields: { about: 'x' } },
  { method: 'DELETE', path: `/${POST}`, fields: {} },
  { method: 'POST', path: `/${POST}`, fields: { method: 'delete' } },
  { method: 'POST', path: `/${POST}/likes`, fields: {} },
  { method: 'DELETE', path: `/${POST}/likes`, fields: {} },
  { method: 'DELETE', path: `/me/feed/${POST}`, fields: {} },
  { method: 'POST', path: '/me/task', fields: {} },
  { method: 'POST', path: '/root/events', fields: { title: 'Walk', start_time: '2026-01-01' } },
)

const randomCall: Arbitrary<Call> = fc.record({
  method: some(anyText, ['POST', 'DELETE', 'GET', 'HEAD', 'post', 'delete', 'PUT', 'OPTIONS']),
  path,
  fields: parameters,
})

const call = fc.oneof(
  usualCall,
  randomCall,
  fc
    .tuple(usualCall, parameters)
    .map(([usual, extra]) => ({ ...usual, fields: { ...usual.fields, ...extra } })),
  fc.tuple(usualCall, randomCall).map(([usual, { method }]) => ({ ...usual, method })),
)

type Body = { readonly type: string; readonly text: string }

const toJsonText = (fields: Call['fields'], values: readonly unknown[]): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(fields).map(([key, value], index) => [
        key,
        index < values.length ? values[index] : value,
      ]),
    ),
  )

const multipart = (fields: Call['fields'], file: boolean): string => {
  const parts = Object.entries(fields).map(
    ([key, value]) => `--b\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  )
  const filePart = '--b\r\ncontent-disposition: form-data; name="source"; filename="x"\r\n\r\nx\r\n'
  return `${parts.join('')}${file ? filePart : ''}--b--\r\n`
}

/** Encodes the parameters of a call in its query or in a body of any kind. */
const encodings: Arbitrary<(fields: Call['fields']) => { readonly query: string; readonly body: Body }> =
  fc.oneof(
    fc.constant((fields: Call['fields']) => ({ query: toQuery(fields), body: { type: '', text: '' } })),
    fc.constant((fields: Call['fields']) => ({ query: '', body: { type: '', text: toQuery(fields) } })),
    fc
      .array(fc.oneof(fc.jsonValue(), fc.constantFrom(null, 5)), { maxLength: 2 })
      .map(values => (fields: Call['fields']) => ({
        query: '',
        body: { type: 'application/json', text: toJsonText(fields, values) },
      })),
    fc.boolean().map(file => (fields: Call['fields']) => ({
      query: '',
      body: { type: 'multipart/form-data; boundary=b', text: multipart(fields, file) },
    })),
    anyText.map(text => (fields: Call['fields']) => ({
      query: toQuery(fields),
      body: { type: 'application/json', text },
    })),
  )

const headers = fc.record(
  {
    'idempotency-key': some(anyText, ['k', 'key 2', '']),
    'x-http-method-override': fc.constantFrom('POST', 'DELETE'),
    origin: fc.constantFrom('http://graph.test', 'https://evil.example', 'null'),
    'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'same-site'),
    host: fc.constant('graph.test'),
  },
  { requiredKeys: ['host'] },
)

type Sent = { readonly request: WireRequest; readonly tokenName: (typeof TOKENS)[number] }

const single: Arbitrary<Sent> = fc
  .record({
    call,
    encode: encodings,
    headers,
    tokenName: some<(typeof TOKENS)[number]>(fc.constantFrom(...TOKENS), ['ada']),
  })
  .map(({ call: { method, path: target, fields }, encode, headers: someHeaders, tokenName }) => {
    const { query, body } = encode(fields)
    return {
      tokenName,
      request: {
        method,
        url: `${target}${query === '' ? '' : '?'}${query}`,
        headers: { ...someHeaders, 'content-type': body.type },
        body: body.text,
      },
    }
  })

const batch: Arbitrary<Sent> = fc
  .record({
    items: fc.array(single, { minLength: 1, maxLength: 4 }),
    headers,
    tokenName: fc.constantFrom(...TOKENS),
  })
  .map(({ items, headers: someHeaders, tokenName }) => ({
    tokenName,
    request: {
      method: 'POST',
      url: '/',
      headers: someHeaders,
      body: toQuery({
        batch: JSON.stringify(
          items.map(({ request }, index) => ({
            ...request,
            name: `n${index}`,
            relative_url: request.url.slice(1),
          })),
        ),
      }),
    },
  }))

const isText = (value: unknown, maxLength = 100): boolean =>
  typeof value === 'string' && value.length <= maxLength
const isRecord = (value: unknown, type: string): boolean => Object(value).type === type
const isOptional = (value: unknown, isValid: (value: unknown) => boolean): boolean =>
  value === undefined || isValid(value)

/** Whether a call of `run` is allowed, evaluated without the library. */
const isAllowed = ({ name, source, parameters: given, session: { viewer, scopes } }: ActionRun): boolean => {
  const isOwn = viewer !== undefined && source.id === viewer && source.type === 'user'
  const mayPublish = scopes.includes('publish')
  const values: { readonly [name: string]: unknown } = { ...given }
  const { message, photo, tags, about, value, target, title, start_time } = values
  const isVisiblePhoto = (node: unknown) => isRecord(node, 'photo') && Object(node).fields.owner === viewer
  switch (name) {
    case 'update':
      return isOwn && isOptional(about, text => text === null || isText(text))
    case 'feed.add':
      return (
        isOwn &&
        mayPublish &&
        isText(message) &&
        isOptional(photo, isVisiblePhoto) &&
        isOptional(
          tags,
          list => Array.isArray(list) && list.length <= 5 && list.every(tag => isText(tag, 65_536)),
        )
      )
    case 'feed.remove':
      return isOwn && isRecord(target, 'post')
    case 'task':
      return isOwn && isOptional(value, Number.isSafeInteger)
    case 'upload':
      return isOwn
    case 'fail':
      return source.type === 'user'
    case 'delete':
      return source.type === 'post' && viewer !== undefined && Object(source.fields).from === viewer
    case 'likes.add':
    case 'likes.remove':
      return source.type === 'post'
    case 'events.add':
      return mayPublish && isText(title, 65_536) && Number.isSafeInteger(start_time)
    default:
      return false
  }
}

/** Whether the headers say that a page of another site has caused the request. */
const isCrossSite = ({ headers: { origin, 'sec-fetch-site': site } }: WireRequest): boolean =>
  site === undefined
    ? origin !== undefined && origin !== 'http://graph.test'
    : site !== 'none' && site !== 'same-origin'

/** Returns the status and the text of a response, and of each item of a batch. */
const parseResponses = (status: number, body: string): readonly (readonly [number, string])[] => {
  const value: unknown = body === '' ? undefined : JSON.parse(body)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return [[status, body], ...items.map(item => [Object(item).code ?? 200, Object(item).body ?? ''] as const)]
}

describe('the HTTP handler of a graph with actions', () => {
  it('runs no action without all checks, writes nothing otherwise or by GET, and has no other 5xx than those of run', async () => {
    let writes = 0
    const world = await serveActions({
      wrap: store =>
        delegateStore(store, {
          write: (...args) => {
            writes++
            return store.write(...args)
          },
        }),
    })
    const { graph, handler, token, effects, runs } = world
    effects.task = () => Promise.reject(new Error('task'))
    const issue = (viewer: string | undefined, scopes: readonly string[]) =>
      graph.tokens.issue({ ...(viewer !== undefined && { viewer }), app: 'demo', scopes: [...scopes] })
    const tokens: { readonly [name in (typeof TOKENS)[number]]: string | undefined } = {
      ada: token,
      weak: await issue(ADA, []),
      grace: await issue(GRACE, ['publish']),
      app: await issue(undefined, ['publish']),
      wrong: 'wrong',
      none: undefined,
    }
    const counts = new Map<string, number>()
    const countOf = (key: string): number => counts.get(key) ?? 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 6, arbitrary: single }, { weight: 1, arbitrary: batch }),
        async sent => {
          const bearer = tokens[sent.tokenName]
          const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
          const request = { ...sent.request, headers: { ...sent.request.headers, ...authorization } }
          await graph.write([
            { op: 'putNode', node: { id: POST, type: 'post', fields: { message: 'First', from: ADA } } },
          ])
          writes = 0
          effects.calls.length = 0
          const { status, body = '' } = await handler.respond(request)
          for (const run of effects.calls) {
            expect(isAllowed(run), JSON.stringify(run)).toBe(true)
            counts.set(run.name, countOf(run.name) + 1)
          }
          if (/^(?:get|head)$/i.test(request.method) || isCrossSite(request)) expect(runs()).toEqual([])
          if (effects.calls.length === 0) expect(writes).toBe(0)
          for (const [code, text] of parseResponses(status, body)) {
            counts.set(`${code}`, countOf(`${code}`) + 1)
            if (code < 500) continue
            expect(JSON.parse(text).error.error_data.reason).toBe('internal_error')
            expect(runs()).toContain('task')
          }
        },
      ),
      propertySettings<[Sent]>(2000, 50_000),
    )
    for (const name of [
      'update',
      'feed.add',
      'feed.remove',
      'delete',
      'likes.add',
      'likes.remove',
      'events.add',
      'task',
    ])
      expect([name, countOf(name)]).toEqual([name, expect.any(Number)])
    for (const key of ['feed.add', 'delete', 'likes.add', 'events.add', '200', '400', '403', '500'])
      expect(countOf(key), key).toBeGreaterThan(0)
  })
})
