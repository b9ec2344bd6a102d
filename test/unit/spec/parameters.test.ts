import { createGraph, defineSchema, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { type GraphError, isGraphError } from '../../../src/base/faults.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

/** A computed field that answers the parameters it was given, as JSON. */
const schema = defineSchema({
  thing: node({
    fields: {
      name: field.string({ default: true }),
      echo: field.string({
        parameters: {
          flag: field.bool(),
          text: field.string(),
          count: field.int(),
          share: field.float(),
          moment: field.datetime(),
          color: field.enum(['red', 'green']),
          list: field.list(field.int()),
          words: field.list(field.string()),
          size: field.object({ width: field.int({ required: true }), unit: field.string() }),
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
      secret: field.string({ scope: 'secrets', resolve: records => records.map(() => 'told') }),
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

const ask = (fields: string): Promise<unknown> => loosely(getNode, viewer, { id: '1', fields })

const echo = async (modifier: string): Promise<unknown> =>
  JSON.parse(Object(await ask(`echo.${modifier}`)).echo)

describe('the value of a parameter', () => {
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
    ['list([])', { list: [] }],
    ['list([1, 2, 3])', { list: [1, 2, 3] }],
    ['words(["a b", "c,d", ")"])', { words: ['a b', 'c,d', ')'] }],
    ['size({"width": 3, "unit": "px"})', { size: { width: 3, unit: 'px' } }],
    ['size({"width": 3})', { size: { width: 3 } }],
  ])('is read by its type: %s', async (modifier, parameters) => {
    expect(await echo(modifier)).toEqual(parameters)
  })

  it('may be one of several, in any order', async () => {
    expect(await echo('count(1).flag(true).list([2])')).toEqual({ count: 1, flag: true, list: [2] })
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
    ['color(blue)', 'color', 'one of red, green'],
    ['list(1)', 'list', 'a list'],
    ['list(1,2)', 'list', 'a list'],
    ['list([1,"2"])', 'list[1]', 'an integer of at most 2^53 - 1'],
    ['list({"0":1})', 'list', 'a list'],
    ['size({"width":"3"})', 'size.width', 'an integer of at most 2^53 - 1'],
    ['size({})', 'size.width', 'a value'],
    ['size({"width":3,"depth":1})', 'size', 'no member but width, unit'],
    ['size([3])', 'size', 'an object with width, unit'],
    ['text("\\ud83d")', 'text', 'well-formed text'],
    ['size({"__proto__":{"width":3}})', 'size', 'no member but width, unit'],
  ])('is refused where it is of another type: %s', async (modifier, parameter, expected) => {
    const fault = await faultOf(ask(`echo.${modifier}`))
    expect(fault).toMatchObject({ code: 100, status: 400, type: 'OAuthException' })
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter, expected })
  })

  it('is refused where the field has no such parameter', async () => {
    const fault = await faultOf(ask('echo.flags(true)'))
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'flags' })
    expect((await faultOf(ask('echo.constructor(1)'))).data).toMatchObject({ parameter: 'constructor' })
    expect((await faultOf(ask('name.text(x)'))).data).toMatchObject({ parameter: 'text' })
    expect((await faultOf(ask('id.as(key)'))).data).toMatchObject({ parameter: 'as' })
    expect((await faultOf(ask('name{id}'))).data).toMatchObject({ parameter: 'name' })
  })
})

describe('a computed field', () => {
  it('is computed once for all records of a level', async () => {
    const answers = await loosely(getNodes, viewer, { ids: ['1', '2'], fields: 'length,spoken,whose' })
    expect(answers).toEqual({
      1: { length: 2, spoken: 'One!', whose: 'demo', id: '1' },
      2: { length: 2, spoken: 'Two!', whose: 'demo', id: '2' },
    })
  })

  it('is left out where it has no value', async () => {
    expect(await ask('absent')).toEqual({ id: '1' })
  })

  it('is left out where its value is not valid', async () => {
    expect(await ask('wrong,length')).toEqual({ length: 1, id: '1' })
  })

  it('may be asked with several parameters under aliases', async () => {
    const answer = await ask('echo.count(1).as(one),echo.count(2).as(two)')
    expect(answer).toEqual({ one: '{"count":1}', two: '{"count":2}', id: '1' })
  })

  it('is neither answered nor computed without its scope', async () => {
    expect(await ask('name,secret')).toEqual({ name: 'One', id: '1' })
  })

  it.each(['short', 'broken'])('that goes wrong is an internal fault that tells nothing: %s', async name => {
    const fault: GraphError = await faultOf(ask(name))
    expect(fault).toMatchObject({ code: 1, status: 500, data: { reason: 'internal' } })
    expect(fault.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(fault)).not.toContain('hunter2')
  })

  it('keeps the fault that it threw', async () => {
    const own = await faultOf(ask('nmae'))
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
    const fault = await faultOf(
      loosely(getNode, session({ viewer: '1', app: 'demo', scopes: [] }), { id: '1', fields: 'picky' }),
    )
    expect(isGraphError(fault)).toBe(true)
    expect(fault).toBe(own)
  })
})
