import fc, { type Arbitrary } from 'fast-check'
import type { WireRequest } from 'kithgraph/http'
import { anything, calls, queryOf } from './call-arbitraries.ts'

const plainItem = calls.map(({ path, parameters }) => ({
  method: 'GET',
  relative_url: `${path.slice(1)}?${queryOf(parameters)}`,
}))

const oddItem = fc.record(
  {
    method: fc.constantFrom('GET', 'get', 'POST', 'DELETE', 'OPTIONS', 'HEAD', ''),
    relative_url: fc.oneof(
      plainItem.map(({ relative_url }) => relative_url),
      fc.constantFrom(
        '{result=a:$.id}',
        'me?fields={result=b:$.data.*.id}',
        '?ids={result=a:$..x}',
        '{result=',
        '%7Bresult%3Da:$}',
      ),
      anything,
    ),
    body: fc.oneof(
      calls.map(({ parameters }) => queryOf({ ...parameters, method: 'get' })),
      anything,
    ),
    name: fc.constantFrom('a', 'b', '__proto__'),
    depends_on: fc.constantFrom('a', 'b', 'c'),
    omit_response_on_success: fc.boolean(),
    headers: fc.array(fc.oneof(fc.constantFrom('If-None-Match: *', 'a', ':', '__proto__: x'), anything), {
      maxLength: 3,
    }),
  },
  { requiredKeys: ['relative_url'] },
)

/** The first is named, so that others may refer to it. */
const items = fc
  .tuple(
    plainItem,
    fc.array(fc.oneof({ weight: 4, arbitrary: plainItem }, { weight: 1, arbitrary: oddItem }), {
      maxLength: 5,
    }),
  )
  .map(([first, others]) => [{ ...first, name: 'a' }, ...others])

const batch = fc.oneof(
  { weight: 9, arbitrary: items.map(list => JSON.stringify(list)) },
  { weight: 1, arbitrary: anything },
)

/** A body, and the type that it says it is of. */
const bodies: Arbitrary<readonly [type: string, text: string]> = fc.oneof(
  calls.map(
    ({ parameters }) =>
      ['application/x-www-form-urlencoded', queryOf({ method: 'get', ...parameters })] as const,
  ),
  calls.map(
    ({ parameters }) => ['application/json', JSON.stringify({ method: 'get', ...parameters })] as const,
  ),
  batch.map(text => ['application/x-www-form-urlencoded', queryOf({ batch: text.toWellFormed() })] as const),
  batch.map(text => ['application/json', `{"batch":${text}}`] as const),
  fc.tuple(fc.constantFrom('application/json', 'multipart/form-data; boundary=b', '', 'text/html'), anything),
  fc.constant([
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="method"\r\n\r\nget\r\n--b--\r\n',
  ] as const),
)

const someHeaders = fc.dictionary(
  fc.constantFrom(
    'host',
    'origin',
    'if-none-match',
    'kithgraph-links',
    'x-forwarded-host',
    'x-forwarded-proto',
    'authorization',
    'content-type',
    'x-http-method-override',
  ),
  fc.oneof(fc.constantFrom('*', 'relative', 'graph.test', 'https://app.example', 'javascript'), anything),
  { maxKeys: 2 },
)
const oddHeaders = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: someHeaders })

type Slip = { readonly at: number; readonly length: number; readonly text: string } | undefined

/** A slip of the hand: some of a text taken out, and something else put in. */
const slip: Arbitrary<Slip> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(6),
      text: anything,
    }),
  },
)

const slipped = (text: string, made: Slip): string => {
  if (made === undefined) return text
  const start = Math.floor(made.at * text.length)
  return text.slice(0, start) + made.text + text.slice(start + made.length)
}

/** Where the token stands. */
const place = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('query', 'bearer', 'oauth') },
  { weight: 1, arbitrary: fc.constantFrom('body', 'wrong', 'nowhere') },
)

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 8, arbitrary: fc.constant('POST') },
  { weight: 2, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'x') },
)

/** A request that might come from anybody; those that have a token have this one. */
export const requestsWith = (token: string): Arbitrary<WireRequest> =>
  fc
    .record({ call: calls, method, body: bodies, place, headers: oddHeaders, slips: fc.tuple(slip, slip) })
    .map(({ call, method: verb, body: [type, text], place: where, headers, slips }) => {
      const isPost = verb === 'POST'
      const isBatch = isPost && /^(?:batch=|\{"batch")/.test(text)
      const query = queryOf({
        ...(isPost ? {} : call.parameters),
        ...(where === 'query' && { access_token: token }),
      })
      const authorization = {
        bearer: `Bearer ${token}`,
        oauth: `OAuth ${token}`,
        wrong: 'Bearer x',
        query: undefined,
        body: undefined,
        nowhere: undefined,
      }[where]
      const isForm = type.endsWith('urlencoded')
      return {
        method: verb,
        url: slipped(`${isBatch ? '/' : call.path}?${query}`, slips[0]),
        headers: { 'content-type': type, ...(authorization !== undefined && { authorization }), ...headers },
        body: isPost
          ? slipped(where === 'body' && isForm ? `${text}&access_token=${token}` : text, slips[1])
          : undefined,
      }
    })
