import { createGraph, defineSchema, field, node, parameter } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../helpers/error-of.ts'

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string() } }),
    page: node({ fields: { title: field.string() } }),
  },
  { viewers: ['user', 'page'] },
)

describe('an action of a viewer whose node has another type than when the token was issued', () => {
  it('receives the parameters of the type that the node has now', async () => {
    const received: unknown[] = []
    const define = actionsOf(schema)
    const actions = [
      define('user', 'rename', {
        policy: 'anyone',
        parameters: { name: parameter.string() },
        run: ({ parameters }) => {
          received.push(parameters)
        },
      }),
      define('page', 'rename', {
        policy: 'anyone',
        parameters: { title: parameter.string({ maxLength: 3 }), user: parameter.node('user') },
        run: ({ parameters }) => {
          received.push(parameters)
        },
      }),
    ]
    const graph = createGraph(createMemoryStore(), { schema, actions })
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'user', fields: {} } },
      { op: 'putNode', node: { id: '2', type: 'user', fields: {} } },
    ])
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })
    await graph.write([
      { op: 'deleteNode', id: '1' },
      { op: 'putNode', node: { id: '1', type: 'page', fields: {} } },
    ])
    const call = async (parameters: object) =>
      graph.callAction(token, { id: 'me', action: 'rename', parameters } as never)
    await call({ title: 'abc', user: '2' })
    expect(received).toEqual([{ title: 'abc', user: { id: '2', type: 'user', fields: {} } }])
    expect((await errorOf(call({ name: 'Ada', title: 'abcd' }))).data.parameters).toMatchObject([
      { parameter: 'name' },
      { parameter: 'title' },
    ])
  })
})
