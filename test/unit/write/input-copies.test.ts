import { describe, expect, it } from 'vitest'
import { defineSchema } from '../../../src/schema/define-schema.ts'
import { edge } from '../../../src/schema/edge.ts'
import { field } from '../../../src/schema/field-builders.ts'
import { node } from '../../../src/schema/node.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { createWrittenGraph, putNode } from './written-graph.ts'

const schema = defineSchema({
  note: node({
    fields: { text: field.string(), tags: field.list(field.string()), at: field.datetime() },
    edges: { next: edge('note', { fields: { why: field.string() } }) },
  }),
})

describe('the input of a write', () => {
  it('may be changed by the caller after the call, at any depth', async () => {
    const { write, records } = createWrittenGraph(schema)
    await write([putNode('1', 'note')])
    const node = {
      id: '2',
      type: 'note',
      fields: { text: 'kept', tags: ['kept'], at: new Date('2014-08-03') },
    }
    const patch = { op: 'patchNode' as const, id: '1', fields: { text: 'kept' } }
    const data = { why: 'kept' }
    const written = write([
      { op: 'putNode', node },
      patch,
      { op: 'putEdge', edge: { source: '1', name: 'next', target: '2', time: 0, data } },
    ])
    node.id = '3'
    node.fields.text = patch.fields.text = data.why = 'changed'
    node.fields.tags[0] = 'changed'
    node.fields.at.setFullYear(1999)
    await written
    const text = JSON.stringify(records())
    expect(text).toContain('kept')
    expect(text).toContain(`${Date.parse('2014-08-03')}`)
    expect(text).not.toContain('changed')
    expect(records()).toHaveLength(3)
  })

  it('is rejected with its path if it is circular or nested too deeply', async () => {
    const { write } = createWrittenGraph(schema)
    const circle: { [name: string]: unknown } = {}
    circle.itself = circle.again = circle
    let deep: unknown = []
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    for (const text of [circle, deep])
      expect((await expectGraphError(write([putNode('1', 'note', { text })]))).data).toMatchObject({
        path: 'node.fields.text',
      })
  })
})

describe('a record of a load', () => {
  it('may be one object that is changed for each record', async () => {
    const { load, records } = createWrittenGraph(schema)
    const source = async function* () {
      const record = { node: { id: '', type: 'note', fields: { text: '', tags: [''] } } }
      for (const id of ['1', '2', '3']) {
        record.node.id = id
        record.node.fields.text = record.node.fields.tags[0] = `note ${id}`
        yield record
      }
    }
    await load(source())
    expect(records()).toEqual(
      ['1', '2', '3']
        .map(id => putNode(id, 'note', { text: `note ${id}`, tags: [`note ${id}`] }))
        .map(({ node }) => ({ node })),
    )
  })
})

describe('a negative zero', () => {
  it('is written as 0, as in JSON', async () => {
    const numbers = defineSchema({
      point: node({ fields: { x: field.float(), path: field.list(field.float()) } }),
    })
    const { write, store } = createWrittenGraph(numbers)
    await write([putNode('1', 'point', { x: -0, path: [-0] })])
    const [point] = store.read({ nodes: ['1'], ranges: [], checks: [], tokens: [] }).nodes
    expect(point?.fields).toEqual({ x: 0, path: [0] })
  })
})
