/** The body of a `POST` to the root. */
export type Body = { readonly name: string; readonly type: string; readonly text: string }

/** Bytes of a body, as many as a handler accepts by default. */
const MEBIBYTE = 1_048_576

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=b'

const PART = 'Content-Disposition: form-data; name="a"'

/** A part as often as it fits into a body, in which something is before and behind it. */
const filled = (part: string, before = '', after = ''): string =>
  before + part.repeat(Math.floor((MEBIBYTE - before.length - after.length) / part.length)) + after

/** Different parts, as many as fit into a body. */
const counted = (partOf: (index: string) => string, before = '', after = ''): string => {
  const parts = [before]
  let length = before.length + after.length
  for (let index = 0; ; index++) {
    const part = partOf(index.toString(36))
    length += part.length
    if (length > MEBIBYTE) return parts.join('') + after
    parts.push(part)
  }
}

/** A batch of fifty items, each of which fills its part of a body. */
const fifty = (itemOf: (length: number) => object): string =>
  JSON.stringify({ batch: Array.from({ length: 50 }, () => itemOf(MEBIBYTE / 50 - 100)) })

const posted = (body: string, type = FORM) => ({
  method: 'POST',
  relative_url: '',
  body,
  headers: [`Content-Type: ${type}`],
})

const item = (text: string): string => filled(text, '{"batch":[{"relative_url":"', '"}]}')

const json: readonly (readonly [string, string])[] = [
  ['members', counted(index => `"${index}":0,`, '{', '"":0}')],
  ['members of one name', filled('"a":1,', '{', '"a":1}')],
  ['opening brackets', filled('[')],
  ['lists in lists', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['objects in objects', `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`],
  ['numbers', filled('1,', '{"a":[', '1]}')],
  ['empty objects', filled('{},', '{"a":[', '1]}')],
  ['objects of different names', counted(index => `{"${index}":0},`, '{"a":[', '1]}')],
  ['an escaped text', filled('\\u0041', '{"a":"', '"}')],
  ['escaped texts', filled('"\\n",', '{"a":[', '1]}')],
  ['escaped quotes', filled('\\"', '{"a":"', '"}')],
  ['a list of ids', filled('"1",', '{"method":"get","ids":[', '"1"]}')],
  ['a list of fields', filled('"a",', '{"method":"get","id":"4","fields":[', '"a"]}')],
]

const forms: readonly (readonly [string, string])[] = [
  ['a=&', filled('a=&')],
  ['&', filled('&')],
  ['+', filled('+', 'a=')],
  ['%', filled('%', 'a=')],
  ['%41', filled('%41', 'a=')],
  ['%E4', filled('%E4', 'a=')],
  ['fields of different names', counted(index => `${index}&`)],
  ['ids', filled('1,', 'method=get&ids=', '1')],
  ['brackets in fields', filled('[', 'method=get&id=4&fields=')],
  ['a token', filled('a', 'method=get&id=4&access_token=')],
]

const batches: readonly (readonly [string, string])[] = [
  ['{result=', item('{result=')],
  ['{result=}', item('{result=}')],
  ['{result=a:$}', item('{result=a:$}')],
  ['}', item('}')],
  ['headers', filled('"a:b",', '{"batch":[{"relative_url":"me","headers":[', '"a:b"]}]}')],
  ['objects', counted(index => `{"${index}":0},`, '{"batch":[', '{}]}')],
  ['items with forms of text', fifty(length => posted(`fields=id&x=${'x'.repeat(length - 80)}`))],
  ['items with forms of a=&', fifty(length => posted('a=&'.repeat((length - 80) / 3)))],
  ['items with forms of +', fifty(length => posted('+'.repeat(length - 80)))],
  ['items with JSON', fifty(length => posted(`{"a":[${'{},'.repeat((length - 100) / 3)}1]}`, JSON_TYPE))],
  ['items with queries of a&', fifty(() => ({ relative_url: `me?${'a&'.repeat(8000)}` }))],
  ['items with queries of +', fifty(() => ({ relative_url: `me?x=${'+'.repeat(16_000)}` }))],
  ['items with long paths', fifty(() => ({ relative_url: 'a/'.repeat(8000) }))],
]

const multiparts: readonly (readonly [string, string])[] = [
  ['parts', filled(`--b\r\n${PART}\r\n\r\n\r\n`, '', '--b--')],
  ['headers of a part', filled('X: y\r\n', `--b\r\n${PART}\r\n`, '\r\n\r\n--b--')],
  ['beginnings of boundaries', filled('\r\n--', `--b\r\n${PART}\r\n\r\n`, '\r\n--b--')],
  ['a name', filled('%22', '--b\r\nContent-Disposition: form-data; name="', '"\r\n\r\n\r\n--b--')],
]

const bodiesOf =
  (kind: string, type: string) =>
  ([name, text]: readonly [string, string]): Body => ({ name: `${kind}: ${name}`, type, text })

/** Bodies of 1 MiB that take as long to parse as any that are known. */
export const worstBodies = (): readonly Body[] => [
  ...json.map(bodiesOf('JSON', JSON_TYPE)),
  ...forms.map(bodiesOf('form', FORM)),
  ...batches.map(bodiesOf('batch', JSON_TYPE)),
  { name: 'batch in a form: {result=', type: FORM, text: filled('{result=', 'batch=[{"body":"', '"}]') },
  ...multiparts.map(bodiesOf('multipart', MULTIPART)),
]
