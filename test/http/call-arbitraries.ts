import fc, { type Arbitrary } from 'fast-check'
import { ADA, ENGINE, GRACE, NEWEST_PHOTO, NOBODY } from '../helpers/world.ts'

/** A request before it is put together, so that it shrinks by its parts. */
export type Call = {
  readonly path: string
  /** Each name once. */
  readonly parameters: { readonly [name: string]: string }
}

/** Text that nobody expects. */
export const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '\u0000',
    '\r\nX: y',
    '<b>"',
    '../..',
    '__proto__',
    'constructor',
    '%',
    '{',
    '[',
    '[[',
    '"',
    '\ud800',
  ),
  fc.json({ maxDepth: 3 }),
)

const id = fc.constantFrom(
  'me',
  'me',
  ADA,
  GRACE,
  ENGINE,
  NEWEST_PHOTO,
  NOBODY,
  '9223372036854775807',
  '9223372036854775808',
)
const edge = fc.constantFrom(
  'photos',
  'friends',
  'likes',
  'feed',
  'comments',
  'accounts',
  'picture',
  'permissions',
  'fiends',
)

const expression = fc.oneof(
  fc.constantFrom(
    'name',
    'id,name,email',
    'name,photos.limit(2){from,likes.summary(1).limit(1){name}}',
    'friends.as(f).limit(1){id},picture.type(large)',
    'photos{comments{comments{likes}}}',
    'photos.limit(100){likes.limit(100){photos.limit(100)}}',
    'name,name',
    'nmae',
    'photos.after(x)',
  ),
  fc.string({ unit: fc.constantFrom(...'abid,.(){}"[]=:$ é'), maxLength: 30 }),
)

/** Parameters with values that might do. */
const GOOD: { readonly [name: string]: Arbitrary<string> } = {
  fields: expression,
  limit: fc.constantFrom('1', '2', '100', '1000000'),
  since: fc.constantFrom('0', '2014-08-03T17:41:09Z'),
  until: fc.constantFrom('1407087669', ''),
  order: fc.constantFrom('chronological', 'reverse_chronological'),
  summary: fc.constantFrom('1', 'true', '0', 'total_count', '["total_count"]'),
  debug: fc.constantFrom('all', 'info'),
  partial: fc.constantFrom('1', 'false'),
  metadata: fc.constantFrom('1', '0'),
  pretty: fc.constantFrom('1', '0', 'x'),
  redirect: fc.constantFrom('0', '1'),
  type: fc.constantFrom('large', 'small'),
  width: fc.constantFrom('100', '0'),
  locale: fc.constant('en_US'),
}

/** Those that rarely do. */
const OFTEN_BAD: { readonly [name: string]: Arbitrary<string> } = {
  limit: fc.constantFrom('0', 'x'),
  after: fc.constantFrom('x', 'cGhvdG9z', ''),
  before: fc.constantFrom('x', ''),
  since: fc.constant('soon'),
  ids: fc.oneof(fc.array(id, { maxLength: 4 }).map(String), fc.constant('["1","2"]')),
  id,
  node_type: fc.constantFrom('user', 'page', 'x'),
  input_token: fc.constantFrom('x', ''),
  width: fc.constantFrom('-1', '99999999999', ')'),
}

const oneOf = (values: typeof GOOD): Arbitrary<readonly [string, string]> =>
  fc.constantFrom(...Object.entries(values)).chain(([name, texts]) => fc.tuple(fc.constant(name), texts))

const parameter: Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 20, arbitrary: oneOf(GOOD) },
  { weight: 2, arbitrary: oneOf(OFTEN_BAD) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...Object.keys({ ...GOOD, ...OFTEN_BAD })), anything) },
  { weight: 1, arbitrary: fc.tuple(anything, anything) },
)

const part = fc.oneof(
  { weight: 8, arbitrary: id },
  { weight: 6, arbitrary: edge },
  {
    weight: 2,
    arbitrary: fc.constantFrom('debug_token', 'openapi.json', 'silhouette.svg', 'v1.0', 'v99.0', 'v0', ''),
  },
  { weight: 1, arbitrary: anything.map(text => encodeURIComponent(text.toWellFormed())) },
)

const path = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(id, edge).map(parts => `/${parts.join('/')}`) },
  { weight: 4, arbitrary: id.map(one => `/v1.0/${one}`) },
  { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }).map(parts => `/${parts.join('/')}`) },
  { weight: 1, arbitrary: fc.constantFrom('/', '/v1.0', '/v1.0/', '') },
)

/** What might be asked, good and bad. */
export const calls: Arbitrary<Call> = fc.record({
  path,
  parameters: fc
    .array(parameter, { maxLength: 4 })
    .map(pairs =>
      Object.fromEntries(pairs.map(([name, text]) => [name.toWellFormed(), text.toWellFormed()])),
    ),
})

/** The query of a call, encoded. */
export const queryOf = (parameters: Call['parameters']): string => `${new URLSearchParams(parameters)}`
