import { createGraph, defineSchema, field, isViewer, node, type Parameter, parameter } from 'kithgraph'
import { actionsOf, type StandardSchema } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../helpers/error-of.ts'

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string() } }),
    photo: node({ policy: [isViewer({ of: 'owner' })], fields: { owner: field.ref('user') } }),
  },
  { viewers: ['user'] },
)

/** Creates a function that calls an action with one parameter, and returns what `run` received. */
const createCaller = async (declared: Parameter, validate?: StandardSchema) => {
  let received: unknown
  const actions = [
    actionsOf(schema)('user', 'test', {
      policy: 'anyone',
      parameters: { value: declared },
      validate,
      run: ({ parameters }) => {
        received = parameters.value
      },
    }),
  ]
  const graph = createGraph(createMemoryStore(), { schema, actions })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: {} } },
    { op: 'putNode', node: { id: '2', type: 'photo', fields: { owner: '1' } } },
    { op: 'putNode', node: { id: '3', type: 'photo', fields: { owner: '9' } } },
  ])
  const session = graph.session({ viewer: '1', app: 'demo' })
  return async (value: unknown) => {
    received = 'not called'
    await graph.callAction(session, { id: 'me', action: 'test', parameters: { value } })
    return received
  }
}

const issuesOf = async (call: Promise<unknown>) => {
  const { reason, data } = await errorOf(call)
  expect(reason).toBe('invalid_parameter')
  return data.parameters
}

describe('a parameter of an action', () => {
  it('has limits', async () => {
    const text = await createCaller(parameter.string({ maxLength: 2 }))
    expect(await text('ab')).toBe('ab')
    expect(await issuesOf(text('abc'))).toMatchObject([
      { parameter: 'value', expected: 'a well-formed string of at most 2 characters' },
    ])
    const int = await createCaller(parameter.int({ min: 0, max: 3 }))
    expect(await int(0)).toBe(0)
    for (const value of [-1, 4, 1.5, 'many'])
      expect(await issuesOf(int(value))).toMatchObject([{ expected: 'an integer from 0 to 3' }])
    const smallest = await createCaller(parameter.int({ min: 1 }))
    expect(await issuesOf(smallest(0))).toMatchObject([{ expected: 'an integer of at least 1' }])
    const largest = await createCaller(parameter.float({ max: 0.5 }))
    expect(await issuesOf(largest(1))).toMatchObject([{ expected: 'a number of at most 0.5' }])
    const any = await createCaller(parameter.int())
    expect(await issuesOf(any('many'))).toMatchObject([{ expected: 'an integer of at most 2^53 - 1' }])
    const long = await createCaller(parameter.string())
    expect(await long('a'.repeat(65_536))).toHaveLength(65_536)
    expect(await issuesOf(long('a'.repeat(65_537)))).toHaveLength(1)
  })

  it('that is misspelt gets an error with the names of the parameters and a suggestion', async () => {
    const object = await createCaller(parameter.object({ title: parameter.string() }))
    expect((await errorOf(object({ titel: 'a' }))).message).toBe(
      '(#100) Invalid parameter "value.titel": must be one of title; received "titel"; did you mean title?',
    )
  })

  it('accepts null only if it is nullable', async () => {
    expect(await (await createCaller(parameter.string({ nullable: true })))(null)).toBe(null)
    expect(await (await createCaller(parameter.node('photo', { nullable: true })))(null)).toBe(null)
    expect(await issuesOf((await createCaller(parameter.string()))(null))).toMatchObject([
      { received: 'null' },
    ])
  })

  it('is absent for an empty text, unless it is a text', async () => {
    expect(await (await createCaller(parameter.string({ default: 'a' })))('')).toBe('')
    expect(await (await createCaller(parameter.int({ default: 5 })))('')).toBe(5)
    expect(await (await createCaller(parameter.node('photo')))('')).toBe(undefined)
    expect(await issuesOf((await createCaller(parameter.int({ required: true })))(''))).toHaveLength(1)
  })

  it('may be a list or an object with nodes', async () => {
    const photo = { id: '2', type: 'photo', fields: { owner: '1' } }
    const list = await createCaller(parameter.list(parameter.node('photo'), { maxItems: 2 }))
    expect(await list(['2'])).toEqual([photo])
    expect(await issuesOf(list(['2', '3']))).toMatchObject([{ parameter: 'value[1]' }])
    expect(await issuesOf(list(['2', '2', '2']))).toMatchObject([{ received: 'an array of length 3' }])
    const object = await createCaller(
      parameter.object({ photo: parameter.node('photo', { required: true }), size: parameter.int() }),
    )
    expect(await object({ photo: '2', size: 3 })).toEqual({ photo, size: 3 })
    expect(await issuesOf(object({ phot: '2', size: 'a' }))).toMatchObject([
      { parameter: 'value.phot' },
      { parameter: 'value.photo' },
      { parameter: 'value.size' },
    ])
    expect(await issuesOf(object({ photo: '2', __proto__: null, constructor: 1 }))).toMatchObject([
      { parameter: 'value.constructor' },
    ])
  })

  it('is no object if it is a map, a date, a list or an instance of a class', async () => {
    class Size {
      readonly size = 3
    }
    const object = await createCaller(parameter.object({ size: parameter.int() }))
    expect(await object(Object.assign(Object.create(null), { size: 3 }))).toEqual({ size: 3 })
    for (const value of [new Map([['size', 3]]), new Date(), [3], new Size(), 'size'])
      expect(await issuesOf(object(value))).toMatchObject([{ expected: 'an object' }])
  })

  it('with a node is a text, not a number', async () => {
    const photo = await createCaller(parameter.node('photo'))
    const { message } = await errorOf(photo(2))
    expect(message).toBe(
      '(#100) Invalid parameter "value": must be the id of a node of type photo, as a text in quotes; received 2',
    )
    expect((await errorOf(photo('2000'))).message).toContain('which exists and is visible; received "2000"')
  })

  it('may have too many ids', async () => {
    const list = await createCaller(parameter.list(parameter.node('photo'), { maxItems: 100 }))
    const { reason, data } = await errorOf(list(Array.from({ length: 51 }, () => '2')))
    expect([reason, data]).toEqual(['too_many_ids', { limit: 50, received: 51 }])
  })
})

describe('the validator of an action', () => {
  const createValidator = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
    '~standard': { version: 1, vendor: 'test', validate },
  })

  it('receives each node as the id that the caller gave, and its output is dropped', async () => {
    let validated: unknown
    const call = await createCaller(
      parameter.list(parameter.node('photo')),
      createValidator(value => {
        validated = value
        return { value: 'another value' }
      }),
    )
    expect(await call(['2'])).toMatchObject([{ id: '2', type: 'photo' }])
    expect(validated).toEqual({ value: ['2'] })
  })

  it('reports its issues with their paths', async () => {
    const call = await createCaller(
      parameter.string(),
      createValidator(async () => ({
        issues: [{ message: 'is too rude', path: ['value', { key: 0 }] }, { message: 'is wrong' }],
      })),
    )
    const error = await errorOf(call('a'))
    expect(error.message).toBe('(#100) Invalid parameter "value[0]": is too rude')
    expect(error.data.parameters).toEqual([
      { parameter: 'value[0]', message: 'is too rude' },
      { parameter: '', message: 'is wrong' },
    ])
  })

  it('reports at most 100 issues', async () => {
    const issues = Array.from({ length: 5000 }, (_, index) => ({
      message: 'is wrong',
      path: ['value', index],
    }))
    const call = await createCaller(
      parameter.string(),
      createValidator(() => ({ issues })),
    )
    expect((await errorOf(call('a'))).data.parameters).toHaveLength(100)
  })

  it('is an internal error if it throws, and the action does not run', async () => {
    for (const validate of [
      () => {
        throw new Error('broken')
      },
      () => Promise.reject(new Error('broken')),
    ]) {
      const call = await createCaller(parameter.string(), createValidator(validate))
      expect((await errorOf(call('a'))).reason).toBe('internal_error')
    }
  })

  it('is not called with parameters that are not valid', async () => {
    let calls = 0
    const validator = createValidator(value => {
      calls++
      return { value }
    })
    const call = await createCaller(parameter.int(), validator)
    await issuesOf(call('a'))
    expect(calls).toBe(0)
  })
})
