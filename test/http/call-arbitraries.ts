import fc, { type Arbitrary } from 'fast-check'
import { ADA, ENGINE, GRACE, NEWEST_PHOTO, NOBODY } from '../helpers/world.ts'

/** The parts of a request. They are separate, so that a failing request shrinks part by part. */
export type Call = {
  readonly path: string
  /** Each name occurs once. */
  readonly parameters: { readonly [name: string]: string }
}

/** Unexpected text. */
export const anyText = fc.oneof(
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

/** Parameters with values that are mostly valid. */
const VALID_PARAMETERS: { readonly [name: string]: Arbitrary<string> } = {
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
  type: fc.constantFrom('large', 'small', 'tagged', 'uploaded'),
  filter: fc.constantFrom('toplevel', 'stream'),
  width: fc.constantFrom('100', '0'),
  locale: fc.constant('en_US'),
}

/** Parameters with values that are mostly invalid. */
const MOSTLY_INVALID_PARAMETERS: { readonly [name: string]: Arbitrary<string> } = {
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

const parameterOf = (values: typeof VALID_PARAMETERS): Arbitrary<readonly [string, string]> =>
  fc.constantFrom(...Object.entries(values)).chain(([name, texts]) => fc.tuple(fc.constant(name), texts))

const parameter: Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 20, arbitrary: parameterOf(VALID_PARAMETERS) },
  { weight: 2, arbitrary: parameterOf(MOSTLY_INVALID_PARAMETERS) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom(...Object.keys({ ...VALID_PARAMETERS, ...MOSTLY_INVALID_PARAMETERS })),
      anyText,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(anyText, anyText) },
)

const part = fc.oneof(
  { weight: 8, arbitrary: id },
  { weight: 6, arbitrary: edge },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'debug_token',
      'openapi.json',
      'default-picture.svg',
      'v1.0',
      'v99.0',
      'v0',
      '',
    ),
  },
  { weight: 1, arbitrary: anyText.map(text => encodeURIComponent(text.toWellFormed())) },
)

const path = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(id, edge).map(parts => `/${parts.join('/')}`) },
  { weight: 4, arbitrary: id.map(one => `/v1.0/${one}`) },
  { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }).map(parts => `/${parts.join('/')}`) },
  { weight: 1, arbitrary: fc.constantFrom('/', '/v1.0', '/v1.0/', '') },
)

/** Valid and invalid calls. */
export const calls: Arbitrary<Call> = fc.record({
  path,
  parameters: fc
    .array(parameter, { maxLength: 4 })
    .map(pairs =>
      Object.fromEntries(pairs.map(([name, text]) => [name.toWellFormed(), text.toWellFormed()])),
    ),
})

/** Encodes the query of a call. */
export const toQuery = (parameters: Call['parameters']): string => `${new URLSearchParams(parameters)}`
