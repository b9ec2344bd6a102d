/** Defines the schema of a library, with a computed field, an inverse edge and two versions. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { createGraph, defineSchema, edge, field, isGraphError, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

/** Simulates another service, which receives one request for all books of a level. */
const stock = { requests: 0, copies: new Map([['201', 3]]) }
const countCopies = async (books: readonly { readonly id: string }[]): Promise<number[]> => {
  stock.requests++
  return books.map(({ id }) => stock.copies.get(id) ?? 0)
}

const schema = defineSchema(
  {
    reader: node({
      description: 'A person with a library card.',
      fields: { name: field.string({ default: true, required: true }) },
      edges: {
        loans: edge('book', {
          inverse: 'readers',
          fields: { since: field.edgeTime(), renewals: field.int() },
        }),
      },
    }),
    author: node({ fields: { name: field.string({ default: true, required: true }) } }),
    book: node({
      description: 'A book. The library may have several copies of it.',
      fields: {
        title: field.string({ default: true, required: true }),
        author: field.ref('author'),
        shelf: field.string({ removedIn: 'v2.0', description: 'Its shelf before the library moved.' }),
        room: field.int({ since: 'v2.0', description: 'Its room.' }),
        copies: field.int({ resolve: countCopies }),
      },
      edges: { readers: edge('reader', { inverse: 'loans' }) },
    }),
  },
  { versions: ['v1.0', 'v2.0'], viewers: ['reader'] },
)

await using graph = createGraph(createMemoryStore(), { schema })
await graph.load([
  { node: { id: '1', type: 'reader', fields: { name: 'Grace' } } },
  { node: { id: '101', type: 'author', fields: { name: 'Jane Austen' } } },
  { node: { id: '201', type: 'book', fields: { title: 'Emma', author: '101', shelf: 'B 12', room: 4 } } },
  {
    node: { id: '202', type: 'book', fields: { title: 'Persuasion', author: '101', shelf: 'B 13', room: 4 } },
  },
  { edge: { source: '1', name: 'loans', target: '201', time: '2026-03-01', data: { renewals: 2 } } },
  { edge: { source: '1', name: 'loans', target: '202', time: '2026-04-01' } },
])
const grace = graph.session({ viewer: '1', app: 'desk', scopes: [] })

const { loans } = await graph.getMe(grace, { fields: 'loans{title,author,copies,since,renewals}' })
console.log(loans.data)
deepStrictEqual(loans.data[1], {
  title: 'Emma',
  author: { name: 'Jane Austen', id: '101' },
  copies: 3,
  since: '2026-03-01T00:00:00+0000',
  renewals: 2,
  id: '201',
})
strictEqual(stock.requests, 1, 'both books need only one request')

const { readers } = await graph.getNode(grace, { id: '202', type: 'book', fields: 'readers' })
deepStrictEqual(readers.data, [{ name: 'Grace', id: '1' }], 'a write of a loan also writes its other side')

const old = await graph.getNode(grace, { id: '201', type: 'book', fields: 'title,shelf', version: 'v1.0' })
console.log(old)
deepStrictEqual(old, { title: 'Emma', shelf: 'B 12', id: '201' })

const error: unknown = await graph
  .getNode(grace, { id: '201', type: 'book', fields: 'shelf' })
  .catch(error => error)
console.log(isGraphError(error) && error.message)
strictEqual(isGraphError(error) && error.reason, 'field_not_in_version')
