import { createGraph, defineSchema, field, node, parameter } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

/** Milliseconds: far more than a bounded parse takes on a busy machine. */
const MAX_HOLD_MS = 500
/** Far less than an issue for each value would need. */
const MAX_RESPONSE_LENGTH = 50_000

const schema = defineSchema({ user: node({ fields: { name: field.string() } }) }, { viewers: ['user'] })
let runCount = 0
const actions = [
  actionsOf(schema)('user', 'test', {
    policy: 'anyone',
    parameters: {
      size: parameter.object({ width: parameter.int(), height: parameter.int() }),
      sizes: parameter.list(parameter.object({ width: parameter.int() }), { maxItems: 1_000_000 }),
      texts: parameter.list(parameter.string(), { maxItems: 1_000_000 }),
      grid: parameter.list(parameter.list(parameter.node('user'))),
      groups: parameter.list(parameter.list(parameter.object({ user: parameter.node('user') }))),
      nodes: parameter.list(parameter.node('user')),
      numbers: parameter.list(parameter.int()),
      flags: parameter.list(parameter.bool()),
      times: parameter.list(parameter.datetime()),
    },
    run: () => {
      runCount++
    },
  }),
]

const graph = createGraph(createMemoryStore(), { schema, actions })
await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: {} } }])
const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })
const handler = createHandler(graph)

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(',')

const post = async (body: string, type = 'application/x-www-form-urlencoded') => {
  const startedAt = performance.now()
  const { body: text = '' } = await handler.respond({
    method: 'POST',
    url: '/me/test',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  })
  return { text, body: JSON.parse(text), durationMs: performance.now() - startedAt }
}

describe('a request with parameters of an action', () => {
  it.each([
    ['unknown members', `size={${repeat(60_000, index => `"w${index}":1`)}}`],
    ['unknown members that a list repeats', `sizes=[${repeat(4000, () => '{"widht":1}')}]`],
    ['invalid items', `sizes=[${repeat(9000, () => '1')}]`],
    ['items of the wrong type', `texts=[${repeat(9000, () => '1')}]`],
    ['more items than a text may have', `texts=${','.repeat(1_000_000)}`],
    ['more values than JSON may have', `texts=[${repeat(300_000, () => '[]')}]`],
    ['lists in lists', `texts=${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['lists in an object', `size={"width":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
  ])('gets an error of bounded length, soon: %s', async (_name, body) => {
    const { text, body: response, durationMs } = await post(body)
    expect(response.error.error_data.reason).toBe('invalid_parameter')
    expect(response.error.error_data.parameters.length).toBeLessThanOrEqual(100)
    expect(text.length).toBeLessThan(MAX_RESPONSE_LENGTH)
    expect(durationMs).toBeLessThan(MAX_HOLD_MS)
    expect(runCount).toBe(0)
  })

  it.each([
    ['ids', 'grid', 'a,', 'too_many_ids'],
    ['empty ids', 'grid', ',', 'invalid_parameter'],
    ['texts in place of objects', 'groups', 'a,', 'invalid_parameter'],
    ['empty objects', 'groups', ',', 'invalid_parameter'],
  ])(
    'gets an error after a look at a part of its lists of lists: %s',
    async (_name, parameter, item, expected) => {
      const lists = Array.from({ length: 100 }, () => item.repeat(4500))
      const { body: response, durationMs } = await post(
        JSON.stringify({ [parameter]: lists }),
        'application/json',
      )
      const { reason, received, parameters = [] } = response.error.error_data
      expect(reason).toBe(expected)
      if (reason === 'too_many_ids') expect(received).toBeLessThan(20_000)
      expect(parameters.length).toBeLessThanOrEqual(100)
      expect(durationMs).toBeLessThan(MAX_HOLD_MS)
      expect(runCount).toBe(0)
    },
  )

  it('may have 10,000 values in the text of a list, and is never cut off', async () => {
    const isAccepted = async (items: string): Promise<boolean> =>
      (await post(`texts=${items}`)).body.success === true
    expect(await isAccepted(repeat(10_000, () => 'a'))).toBe(true)
    expect(await isAccepted(repeat(10_001, () => 'a'))).toBe(false)
    expect(await isAccepted(`[${repeat(9999, () => '"a,b"')}]`)).toBe(true)
    expect(await isAccepted(`[${repeat(10_000, () => '"a"')}]`)).toBe(false)
    runCount = 0
  })
})

/** Invalid values are not described one by one. Describing each of them took 10 to 40 times as long as the JSON. */
const MAX_RATIO = 6
const ROUNDS = 7

describe('the longest list of long invalid values', () => {
  it.each(['nodes', 'numbers', 'flags', 'times'])(
    'takes little longer than the JSON of its request, even with a wrong token: %s',
    async parameter => {
      const list = Array.from({ length: 9900 }, () => 'a'.repeat(95))
      const hold = async (name: string): Promise<number> => {
        const body = JSON.stringify({ [name]: list })
        const startedAt = performance.now()
        const { status } = await handler.respond({
          method: 'POST',
          url: '/me/test',
          headers: { authorization: 'Bearer wrong', 'content-type': 'application/json' },
          body,
        })
        expect(status).toBe(400)
        return performance.now() - startedAt
      }
      let [fastest, fastestUnknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (let round = 0; round < ROUNDS; round++) {
        fastestUnknown = Math.min(fastestUnknown, await hold('unknown'))
        fastest = Math.min(fastest, await hold(parameter))
      }
      expect(fastest).toBeLessThan(MAX_RATIO * fastestUnknown)
    },
  )
})
