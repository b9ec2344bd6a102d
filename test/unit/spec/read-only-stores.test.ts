import { createGraph, defineSchema, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { update, updateEdge } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

const schema = defineSchema({ item: node({ fields: { name: field.string() } }) }, { viewers: ['item'] })

/** Opens a graph over one node that other programs wrote. */
const open = async (writes: unknown) => {
  const memory = createMemoryStore()
  await memory.write([{ op: 'putNode', node: { id: '1', type: 'item', fields: { name: 'Ada' } } }])
  const capabilities = Object.assign({}, memory.capabilities, { writes })
  return createGraph(delegateStore(memory, { capabilities }), { schema })
}

const READ_ONLY = 'the store must be one that writes nodes and edges; received a read-only store'
const NO_TOKENS = 'the store must be one that keeps tokens; received a store that writes nothing'

describe.each(['tokens', 'none'])('a graph over a store that writes "%s"', writes => {
  it('rejects write and load, even of nothing, and update and updateEdge', async () => {
    const graph = await open(writes)
    await expect(graph.write([])).rejects.toEqual(new TypeError(`write: ${READ_ONLY}`))
    await expect(graph.load('')).rejects.toEqual(new TypeError(`load: ${READ_ONLY}`))
    await expect(update(graph, { type: 'item', id: '1' }, () => {})).rejects.toEqual(
      new TypeError(`update: ${READ_ONLY}`),
    )
    const edge = { source: '1', name: 'none', target: '1' }
    await expect(callUntyped(updateEdge, graph, edge, () => {})).rejects.toBeInstanceOf(TypeError)
  })

  it('reads', async () => {
    const graph = await open(writes)
    const session = graph.session({ app: 'tests' })
    expect(await graph.getNode(session, { id: '1', type: 'item', fields: 'name' })).toEqual({
      id: '1',
      name: 'Ada',
    })
  })
})

it('a graph over a store that writes tokens issues and revokes them', async () => {
  const { tokens } = await open('tokens')
  const token = await tokens.issue({ viewer: '1', app: 'tests' })
  expect(await tokens.inspect(token)).toMatchObject({ viewer: '1' })
  await tokens.revoke(token)
  expect(await tokens.inspect(token)).toMatchObject({ failure: 'revoked' })
})

it('a graph over a store that writes nothing issues and revokes no tokens', async () => {
  const { tokens } = await open('none')
  await expect(tokens.issue({ app: 'tests' })).rejects.toEqual(new TypeError(`tokens.issue: ${NO_TOKENS}`))
  await expect(tokens.revoke('token')).rejects.toEqual(new TypeError(`tokens.revoke: ${NO_TOKENS}`))
  await expect(tokens.revokeAll({ viewer: '1' })).rejects.toEqual(
    new TypeError(`tokens.revokeAll: ${NO_TOKENS}`),
  )
})

it('the capability writes of a store has one of three values', async () => {
  await expect(open('some')).rejects.toThrow('a valid capabilities.writes')
})
