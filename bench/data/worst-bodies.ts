/** The body of a `POST` to the root. */
export type Body = { readonly name: string; readonly type: string; readonly text: string }

/** The size in bytes of the largest body that a handler accepts by default. */
const MEBIBYTE = 1_048_576

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=b'

const PART = 'Content-Disposition: form-data; name="a"'

/** Repeats a part as often as it fits into a body, between `before` and `after`. */
const fillBody = (part: string, before = '', after = ''): string =>
  before + part.repeat(Math.floor((MEBIBYTE - before.length - after.length) / part.length)) + after

/** Creates as many different parts as fit into a body, between `before` and `after`. */
const repeatCounted = (partOf: (index: string) => string, before = '', after = ''): string => {
  const parts = [before]
  let length = before.length + after.length
  for (let index = 0; ; index++) {
    const part = partOf(index.toString(36))
    length += part.length
    if (length > MEBIBYTE) return parts.join('') + after
    parts.push(part)
  }
}

/** Creates a batch of fifty items of equal size that together fill the body. */
const repeatFifty = (itemOf: (length: number) => object): string =>
  JSON.stringify({ batch: Array.from({ length: 50 }, () => itemOf(MEBIBYTE / 50 - 100)) })

const createRequest = (body: string, type = FORM) => ({
  method: 'POST',
  relative_url: '',
  body,
  headers: [`Content-Type: ${type}`],
})

const item = (text: string): string => fillBody(text, '{"batch":[{"relative_url":"', '"}]}')

const json: readonly (readonly [string, string])[] = [
  ['members', repeatCounted(index => `"${index}":0,`, '{', '"":0}')],
  ['members of one name', fillBody('"a":1,', '{', '"a":1}')],
  ['opening brackets', fillBody('[')],
  ['lists in lists', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['objects in objects', `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`],
  ['numbers', fillBody('1,', '{"a":[', '1]}')],
  ['empty objects', fillBody('{},', '{"a":[', '1]}')],
  ['objects of different names', repeatCounted(index => `{"${index}":0},`, '{"a":[', '1]}')],
  ['an escaped text', fillBody('\\u0041', '{"a":"', '"}')],
  ['escaped texts', fillBody('"\\n",', '{"a":[', '1]}')],
  ['escaped quotes', fillBody('\\"', '{"a":"', '"}')],
  ['a list of ids', fillBody('"1",', '{"method":"get","ids":[', '"1"]}')],
  ['a list of fields', fillBody('"a",', '{"method":"get","id":"4","fields":[', '"a"]}')],
]

const forms: readonly (readonly [string, string])[] = [
  ['a=&', fillBody('a=&')],
  ['&', fillBody('&')],
  ['+', fillBody('+', 'a=')],
  ['%', fillBody('%', 'a=')],
  ['%41', fillBody('%41', 'a=')],
  ['%E4', fillBody('%E4', 'a=')],
  ['fields of different names', repeatCounted(index => `${index}&`)],
  ['ids', fillBody('1,', 'method=get&ids=', '1')],
  ['brackets in fields', fillBody('[', 'method=get&id=4&fields=')],
  ['a token', fillBody('a', 'method=get&id=4&access_token=')],
]

const batches: readonly (readonly [string, string])[] = [
  ['{result=', item('{result=')],
  ['{result=}', item('{result=}')],
  ['{result=a:$}', item('{result=a:$}')],
  ['}', item('}')],
  ['headers', fillBody('"a:b",', '{"batch":[{"relative_url":"me","headers":[', '"a:b"]}]}')],
  ['objects', repeatCounted(index => `{"${index}":0},`, '{"batch":[', '{}]}')],
  [
    'items with forms of text',
    repeatFifty(length => createRequest(`fields=id&x=${'x'.repeat(length - 80)}`)),
  ],
  ['items with forms of a=&', repeatFifty(length => createRequest('a=&'.repeat((length - 80) / 3)))],
  ['items with forms of +', repeatFifty(length => createRequest('+'.repeat(length - 80)))],
  [
    'items with JSON',
    repeatFifty(length => createRequest(`{"a":[${'{},'.repeat((length - 100) / 3)}1]}`, JSON_TYPE)),
  ],
  ['items with queries of a&', repeatFifty(() => ({ relative_url: `me?${'a&'.repeat(8000)}` }))],
  ['items with queries of +', repeatFifty(() => ({ relative_url: `me?x=${'+'.repeat(16_000)}` }))],
  ['items with long paths', repeatFifty(() => ({ relative_url: 'a/'.repeat(8000) }))],
]

const multiparts: readonly (readonly [string, string])[] = [
  ['parts', fillBody(`--b\r\n${PART}\r\n\r\n\r\n`, '', '--b--')],
  ['headers of a part', fillBody('X: y\r\n', `--b\r\n${PART}\r\n`, '\r\n\r\n--b--')],
  ['beginnings of boundaries', fillBody('\r\n--', `--b\r\n${PART}\r\n\r\n`, '\r\n--b--')],
  ['a name', fillBody('%22', '--b\r\nContent-Disposition: form-data; name="', '"\r\n\r\n\r\n--b--')],
]

const bodiesOf =
  (kind: string, type: string) =>
  ([name, text]: readonly [string, string]): Body => ({ name: `${kind}: ${name}`, type, text })

/** Creates bodies of 1 MiB that take longest to parse. */
export const createWorstBodies = (): readonly Body[] => [
  ...json.map(bodiesOf('JSON', JSON_TYPE)),
  ...forms.map(bodiesOf('form', FORM)),
  ...batches.map(bodiesOf('batch', JSON_TYPE)),
  { name: 'batch in a form: {result=', type: FORM, text: fillBody('{result=', 'batch=[{"body":"', '"}]') },
  ...multiparts.map(bodiesOf('multipart', MULTIPART)),
]
