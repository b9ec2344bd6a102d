import { createGraph, defineSchema, field, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { type GraphError, isGraphError } from '../../../src/base/errors.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

/** A schema with a computed field that returns its parameters as JSON. */
const schema = defineSchema({
  thing: node({
    fields: {
      name: field.string({ default: true }),
      echo: field.string({
        parameters: {
          flag: parameter.bool(),
          text: parameter.string(),
          count: parameter.int(),
          share: parameter.float(),
          moment: parameter.datetime(),
          color: parameter.enum(['red', 'green']),
          size: parameter.int({ default: 3 }),
          who: parameter.id(),
        },
        resolve: (records, { parameters }) => records.map(() => JSON.stringify(parameters)),
      }),
      spoken: field.string({
        resolve: async records => records.map(({ fields }) => `${String(fields.name)}!`),
      }),
      absent: field.string({ resolve: records => records.map(() => undefined) }),
      length: field.int({ resolve: records => records.map(() => records.length) }),
      short: field.int({ resolve: () => [] }),
      wrong: field.int({ resolve: records => records.map(() => Number.NaN) }),
      broken: field.int({
        resolve: () => {
          throw new Error('the password is hunter2')
        },
      }),
      whose: field.string({ resolve: (records, { session }) => records.map(() => session.app) }),
      secret: field.string({ scope: 'secrets', resolve: records => records.map(() => 'seen') }),
    },
  }),
})

const store = createMemoryStore()
store.write([
  { op: 'putNode', node: { id: '1', type: 'thing', fields: { name: 'One' } } },
  { op: 'putNode', node: { id: '2', type: 'thing', fields: { name: 'Two' } } },
])
const { getNode, getNodes, session } = createGraph(store, { schema })
const viewer = session({ viewer: '1', app: 'demo', scopes: [] })

const readFields = (fields: string): Promise<unknown> => callUntyped(getNode, viewer, { id: '1', fields })

const readEcho = async (modifier: string): Promise<unknown> =>
  JSON.parse(Object(await readFields(`echo.${modifier}`)).echo)

describe('the value of a parameter of a computed field', () => {
  it.each([
    ['flag(true)', { flag: true }],
    ['flag(false)', { flag: false }],
    ['flag(1)', { flag: true }],
    ['flag(0)', { flag: false }],
    ['text(plain words)', { text: 'plainwords' }],
    ['text("quoted  words")', { text: 'quoted  words' }],
    ['text("line\\nbreak \\"quote\\"")', { text: 'line\nbreak "quote"' }],
    ['text()', { text: '' }],
    ['text(true)', { text: 'true' }],
    ['count(12)', { count: 12 }],
    ['count(-1)', { count: -1 }],
    ['share(0.5)', { share: 0.5 }],
    ['moment(2014-08-03T17:41:09+0000)', { moment: Date.UTC(2014, 7, 3, 17, 41, 9) }],
    ['color(red)', { color: 'red' }],
    ['size(4)', { size: 4 }],
    ['who(2)', { who: '2' }],
    ['who(me)', { who: '1' }],
  ])('is parsed by the type of the parameter: %s', async (modifier, parameters) => {
    expect(await readEcho(modifier)).toEqual({ size: 3, ...parameters })
  })

  it('is accepted next to other parameters, in any order', async () => {
    expect(await readEcho('count(1).flag(true).share(2)')).toEqual({
      flag: true,
      count: 1,
      share: 2,
      size: 3,
    })
  })

  it.each([
    ['flag(yes)', 'flag', 'true or false'],
    ['flag(2)', 'flag', 'true or false'],
    ['flag("true")', 'flag', 'true or false'],
    ['count(1.5)', 'count', 'an integer of at most 2^53 - 1'],
    ['count(x)', 'count', 'an integer of at most 2^53 - 1'],
    ['count("1")', 'count', 'an integer of at most 2^53 - 1'],
    ['count()', 'count', 'an integer of at most 2^53 - 1'],
    ['count(9007199254740993)', 'count', 'an integer of at most 2^53 - 1'],
    ['share(1e999)', 'share', 'a finite number'],
    ['moment(soon)', 'moment', 'integer milliseconds, a Date or an ISO 8601 date'],
    ['color(blue)', 'color', 'one of "red", "green"'],
    ['text("\\ud83d")', 'text', 'a well-formed string'],
  ])(
    'is rejected if it does not have the type of the parameter: %s',
    async (modifier, parameter, expected) => {
      const error = await expectGraphError(readFields(`echo.${modifier}`))
      expect(error).toMatchObject({ code: 100, status: 400, type: 'OAuthException' })
      expect(error.toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter,
        expected,
      })
    },
  )

  it('is rejected if the field does not have the parameter', async () => {
    const error = await expectGraphError(readFields('echo.flags(true)'))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'flags' })
    expect((await expectGraphError(readFields('echo.constructor(1)'))).data).toMatchObject({
      parameter: 'constructor',
    })
    expect((await expectGraphError(readFields('name.text(x)'))).data).toMatchObject({ parameter: 'text' })
    expect((await expectGraphError(readFields('id.as(key)'))).data).toMatchObject({ parameter: 'as' })
    expect((await expectGraphError(readFields('name{id}'))).data).toMatchObject({ parameter: 'name' })
  })
})

describe('a computed field', () => {
  it('is computed once for all records of a level', async () => {
    const results = await callUntyped(getNodes, viewer, { ids: ['1', '2'], fields: 'length,spoken,whose' })
    expect(results).toEqual({
      1: { length: 2, spoken: 'One!', whose: 'demo', id: '1' },
      2: { length: 2, spoken: 'Two!', whose: 'demo', id: '2' },
    })
  })

  it('is left out if it has no value', async () => {
    expect(await readFields('absent')).toEqual({ id: '1' })
  })

  it('is left out if its value is not valid', async () => {
    expect(await readFields('wrong,length')).toEqual({ length: 1, id: '1' })
  })

  it('is computed for each alias with its own parameters', async () => {
    const result = await readFields('echo.count(1).as(one),echo.count(2).as(two)')
    expect(result).toEqual({
      one: '{"count":1,"size":3}',
      two: '{"count":2,"size":3}',
      id: '1',
    })
  })

  it('is left out for a token without its scope', async () => {
    expect(await readFields('name,secret')).toEqual({ name: 'One', id: '1' })
  })

  it.each(['short', 'broken'])(
    'gives an internal error without details if its resolve function fails: %s',
    async name => {
      const error: GraphError = await expectGraphError(readFields(name))
      expect(error).toMatchObject({ code: 1, status: 500, reason: 'internal_error' })
      expect(error.cause).toBeInstanceOf(Error)
      expect(JSON.stringify(error)).not.toContain('hunter2')
    },
  )

  it('passes on a GraphError that its resolve function throws', async () => {
    const own = await expectGraphError(readFields('nmae'))
    const schema = defineSchema({
      thing: node({
        fields: {
          picky: field.string({
            resolve: () => {
              throw own
            },
          }),
        },
      }),
    })
    const { getNode, session } = createGraph(store, { schema })
    const error = await expectGraphError(
      callUntyped(getNode, session({ viewer: '1', app: 'demo', scopes: [] }), { id: '1', fields: 'picky' }),
    )
    expect(isGraphError(error)).toBe(true)
    expect(error).toBe(own)
  })
})
