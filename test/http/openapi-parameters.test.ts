import { defineSchema, edge, field, node, parameter } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import {
  createDocument,
  createDocumentValidator,
  escapePointerPart,
  schemaPointer,
  valueAt,
  withValidators,
} from './openapi-validator.ts'
import { parameterSchema } from './parameter-world.ts'

const where = () => true

const shop = defineSchema(
  {
    customer: node({
      edges: {
        orders: edge('order', {
          description: 'What they bought.',
          parameters: {
            state: parameter.enum(['open', 'sent'], { default: 'open', description: 'The state.' }),
            after_day: parameter.datetime({ default: 0 }),
            by: parameter.id({ default: 'me' }),
            min: parameter.int({ required: true, description: 'The smallest price.' }),
            factor: parameter.float({ default: 0.5 }),
            urgent: parameter.bool({ default: false }),
            q: parameter.string(),
            code: parameter.int(),
          },
          where,
        }),
        offers: edge('order', { parameters: { q: parameter.string({ required: true }) }, where }),
      },
    }),
    dealer: node({
      edges: {
        orders: edge('order', {
          parameters: {
            state: parameter.enum(['open', 'lost'], { default: 'open', description: 'The state.' }),
            min: parameter.int({ required: true, description: 'The smallest sum.' }),
            region: parameter.string({ required: true }),
            urgent: parameter.bool({ default: true }),
            code: parameter.string(),
          },
          where,
        }),
      },
    }),
    order: node({ fields: { name: field.string({ default: true }) } }),
  },
  { versions: ['v1.0'], viewers: ['customer'] },
)
const document = createDocument(shop)

/** Returns the parameters of a path that are not components, by name. */
const parametersOf = (path: string, source: object = document) => {
  const parameters = valueAt(source, `/paths/${escapePointerPart(path)}/get/parameters`)
  return Object.fromEntries(
    Object.values(Object(parameters))
      .filter(value => typeof Object(value).name === 'string')
      .map(value => [Object(value).name, value]),
  )
}

describe('the parameters of an edge in the OpenAPI document', () => {
  it('are query parameters with their type, words, default and description', () => {
    expect(parametersOf('/me/orders')).toEqual({
      state: {
        name: 'state',
        in: 'query',
        description: 'The state.',
        schema: { type: 'string', enum: ['open', 'sent'], default: 'open' },
      },
      after_day: {
        name: 'after_day',
        in: 'query',
        schema: {
          type: 'string',
          description: 'A time in ISO 8601.',
          examples: ['2000-01-31T23:59:59Z'],
          default: '1970-01-01T00:00:00.000Z',
        },
      },
      by: {
        name: 'by',
        in: 'query',
        schema: {
          type: 'string',
          pattern: '^(me|[0-9]{1,20})$',
          description: 'The id of a node, or `me` for the viewer.',
          default: 'me',
        },
      },
      min: {
        name: 'min',
        in: 'query',
        required: true,
        description: 'The smallest price.',
        schema: { type: 'integer', format: 'int64' },
      },
      factor: {
        name: 'factor',
        in: 'query',
        schema: { type: 'number', format: 'double', default: 0.5 },
      },
      urgent: { name: 'urgent', in: 'query', schema: { type: 'boolean', default: false } },
      q: { name: 'q', in: 'query', schema: { type: 'string' } },
      code: { name: 'code', in: 'query', schema: { type: 'integer', format: 'int64' } },
    })
  })

  it('are the same on the paths of one entry and of several nodes, if the types are the same', () => {
    expect(parametersOf('/me/orders/{target}')).toEqual(parametersOf('/me/orders'))
    expect(parametersOf('/{id}/orders/{target}')).toEqual(parametersOf('/{id}/orders'))
    expect(parametersOf('/orders')).toEqual(parametersOf('/{id}/orders'))
  })

  it('are united if several types have the edge', () => {
    const united = parametersOf('/{id}/orders')
    expect(Object.keys(united)).toEqual([
      'state',
      'after_day',
      'by',
      'min',
      'factor',
      'urgent',
      'q',
      'code',
      'region',
    ])
    expect(united.state.schema).toEqual({ type: 'string', enum: ['open', 'sent', 'lost'], default: 'open' })
    expect(united.state.description).toBe('The state.')
    expect(united.urgent.schema).toEqual({ type: 'boolean' })
    expect(united.code.schema).toEqual({
      anyOf: [{ type: 'integer', format: 'int64' }, { type: 'string' }],
    })
    expect(united.q.description).toBe('Only for nodes of the type `customer`.')
  })

  it('are required only if every type requires them', () => {
    const united = parametersOf('/{id}/orders')
    expect(united.min).toMatchObject({
      required: true,
      description: 'The smallest price. The smallest sum.',
    })
    expect(united.region).not.toHaveProperty('required')
    expect(parametersOf('/{id}/offers').q.required).toBe(true)
  })

  it('are described as modifiers of the edge', () => {
    expect(valueAt(document, `${schemaPointer('customer')}/properties/orders/description`)).toBe(
      'What they bought. Newest first. Parameters: state (open | sent), after_day (datetime), by (id), ' +
        'min (int; required), factor (float), urgent (bool), q (string), code (int).',
    )
    expect(valueAt(document, '/components/parameters/fields/description')).toContain(
      'The modifiers of an edge are its parameters, `limit`',
    )
  })

  it('leave the document valid, and their defaults fit their schemas', async () => {
    const validator = await createDocumentValidator()
    for (const schema of [shop, parameterSchema]) expect(validator(createDocument(schema))).toEqual([])
    await withValidators(document, async validatorAt => {
      const path = `/paths/${escapePointerPart('/{id}/orders')}/get/parameters`
      const parameters: readonly object[] = Object.values(Object(valueAt(document, path)))
      for (const [index, value] of parameters.entries()) {
        const { default: defaultValue } = Object(Object(value).schema)
        if (defaultValue === undefined) continue
        const defaultValidator = await validatorAt(`${path}/${index}/schema`)
        expect(defaultValidator(defaultValue), JSON.stringify(value)).toEqual([])
      }
    })
  })

  it('do not occur on other edges', () => {
    expect(parametersOf('/{id}/likes', createDocument(parameterSchema))).toEqual({})
  })
})
