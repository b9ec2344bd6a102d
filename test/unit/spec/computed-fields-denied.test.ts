import { createGraph, defineSchema, field, fieldEquals, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const openDiary = async () => {
  const resolvedIds: string[][] = []
  const schema = defineSchema({
    page: node({
      fields: {
        open: field.bool(),
        length: field.int({
          policy: [fieldEquals('open', true)],
          resolve: records => {
            resolvedIds.push(records.map(({ id }) => id))
            return records.map(({ id }) => Number(id) * 100)
          },
        }),
      },
    }),
  })
  const graph = createGraph(createMemoryStore(), { schema })
  const open: { readonly [id: string]: boolean } = { 1: false, 2: true, 3: false, 4: true }
  await graph.write(
    Object.entries(open).map(([id, value]) => ({
      op: 'putNode',
      node: { id, type: 'page', fields: { open: value } },
    })),
  )
  return { graph, resolvedIds, reader: graph.session({ app: 'diary' }) }
}

describe('a computed field under a policy', () => {
  it('is computed only for the records that its policy allows', async () => {
    const { graph, resolvedIds, reader } = await openDiary()
    const pages = await graph.getNodes(reader, { ids: ['1', '2', '3', '4'], fields: 'length' })
    expect(pages).toEqual({
      1: { id: '1' },
      2: { length: 200, id: '2' },
      3: { id: '3' },
      4: { length: 400, id: '4' },
    })
    expect(resolvedIds).toEqual([['2', '4']])
  })

  it('is not computed if its policy denies every record', async () => {
    const { graph, resolvedIds, reader } = await openDiary()
    expect(await graph.getNode(reader, { id: '1', fields: 'length' })).toEqual({ id: '1' })
    expect(resolvedIds).toEqual([])
  })
})
