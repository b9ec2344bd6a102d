import fc, { type Arbitrary } from 'fast-check'
import type { WireRequest } from 'kithgraph/http'
import { anyText, calls, toQuery } from './call-arbitraries.ts'

const plainItem = calls.map(({ path, parameters }) => ({
  method: 'GET',
  relative_url: `${path.slice(1)}?${toQuery(parameters)}`,
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
      anyText,
    ),
    body: fc.oneof(
      calls.map(({ parameters }) => toQuery({ ...parameters, method: 'get' })),
      anyText,
    ),
    name: fc.constantFrom('a', 'b', '__proto__'),
    depends_on: fc.constantFrom('a', 'b', 'c'),
    omit_response_on_success: fc.boolean(),
    headers: fc.array(fc.oneof(fc.constantFrom('If-None-Match: *', 'a', ':', '__proto__: x'), anyText), {
      maxLength: 3,
    }),
  },
  { requiredKeys: ['relative_url'] },
)

/** Items of a batch. The first has a name, so that others can refer to it. */
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
  { weight: 1, arbitrary: anyText },
)

/** A body and its content type. */
const bodies: Arbitrary<readonly [type: string, text: string]> = fc.oneof(
  calls.map(
    ({ parameters }) =>
      ['application/x-www-form-urlencoded', toQuery({ method: 'get', ...parameters })] as const,
  ),
  calls.map(
    ({ parameters }) => ['application/json', JSON.stringify({ method: 'get', ...parameters })] as const,
  ),
  batch.map(text => ['application/x-www-form-urlencoded', toQuery({ batch: text.toWellFormed() })] as const),
  batch.map(text => ['application/json', `{"batch":${text}}`] as const),
  fc.tuple(fc.constantFrom('application/json', 'multipart/form-data; boundary=b', '', 'text/html'), anyText),
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
  fc.oneof(fc.constantFrom('*', 'relative', 'graph.test', 'https://app.example', 'javascript'), anyText),
  { maxKeys: 2 },
)
const oddHeaders = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: someHeaders })

type Typo = { readonly at: number; readonly length: number; readonly text: string } | undefined

/** Typing mistakes that replace a part of a text by another text. */
const typos: Arbitrary<Typo> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(6),
      text: anyText,
    }),
  },
)

const applyTypo = (text: string, typo: Typo): string => {
  if (typo === undefined) return text
  const start = Math.floor(typo.at * text.length)
  return text.slice(0, start) + typo.text + text.slice(start + typo.length)
}

/** The part of the request that contains the token. */
const tokenLocations = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('query', 'bearer', 'oauth') },
  { weight: 1, arbitrary: fc.constantFrom('body', 'wrong', 'nowhere') },
)

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 8, arbitrary: fc.constant('POST') },
  { weight: 2, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'x') },
)

/** Creates arbitrary requests, valid and invalid. Requests with a token have the given token. */
export const requestsWithToken = (token: string): Arbitrary<WireRequest> =>
  fc
    .record({
      call: calls,
      method,
      body: bodies,
      tokenIn: tokenLocations,
      headers: oddHeaders,
      typos: fc.tuple(typos, typos),
    })
    .map(({ call, method: verb, body: [type, text], tokenIn, headers, typos }) => {
      const isPost = verb === 'POST'
      const isBatch = isPost && /^(?:batch=|\{"batch")/.test(text)
      const query = toQuery({
        ...(isPost ? {} : call.parameters),
        ...(tokenIn === 'query' && { access_token: token }),
      })
      const authorization = {
        bearer: `Bearer ${token}`,
        oauth: `OAuth ${token}`,
        wrong: 'Bearer x',
        query: undefined,
        body: undefined,
        nowhere: undefined,
      }[tokenIn]
      const isForm = type.endsWith('urlencoded')
      return {
        method: verb,
        url: applyTypo(`${isBatch ? '/' : call.path}?${query}`, typos[0]),
        headers: { 'content-type': type, ...(authorization !== undefined && { authorization }), ...headers },
        body: isPost
          ? applyTypo(tokenIn === 'body' && isForm ? `${text}&access_token=${token}` : text, typos[1])
          : undefined,
      }
    })
