/**
 * Reads the catalogue of a library, with a schema of its own. Run it with:
 *
 *     npx tsx examples/library/main.ts
 */
import { deepStrictEqual, match, strictEqual } from 'node:assert/strict'
import { createGraph, isGraphError } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { printJson } from '../shared/print-json.ts'
import { createDesk } from './desk.ts'
import { libraryRecords } from './records.ts'
import { createLibrarySchema } from './schema.ts'

const desk = createDesk({ '201': 1, '202': 1, '203': 2 })
await using graph = createGraph(createMemoryStore(), { schema: createLibrarySchema(desk) })
await graph.load(libraryRecords())

const show = (title: string, result: unknown): void => console.log(`${title}\n${printJson(result)}\n`)
const catchMessage = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.catch(error => error)
  return isGraphError(error) ? error.message : 'none'
}

const grace = graph.session({ viewer: '1', app: 'catalogue', scopes: [] })
const staff = graph.session({ viewer: undefined, app: 'desk', scopes: ['staff'] })

const fields = 'title,decade,isbn,on_shelf'
const books = await graph.getEdges(grace, { ids: ['101', '102'], type: 'author', edge: 'books', fields })
show('The books of two authors, in the order of printing:', books)
const austen = books['101']?.data.map(({ title, on_shelf }) => [title, on_shelf])
deepStrictEqual(austen, [
  ['Emma', 1],
  ['Persuasion', 1],
])
strictEqual(desk.countCalls(), 1, 'one request to the desk for all books')

const me = await graph.getMe(grace, { fields: 'name,loans{lent,due,renewals,book{title,author}}' })
show('The loans of Grace:', me)
strictEqual(me.loans.data[0]?.book?.author?.name, 'Jane Austen')

const copy = { id: '2021', type: 'copy', fields: 'borrowers{name}' } as const
const [seen, known] = [await graph.getNode(grace, copy), await graph.getNode(staff, copy)]
show('The borrowers of a copy, as another reader and as the staff see them:', [
  seen.borrowers,
  known.borrowers,
])
deepStrictEqual([seen.borrowers.data.length, known.borrowers.data[0]?.name], [0, 'Hedy'])

const emma = { id: '201', type: 'book', fields: 'title,subjects' } as const
show('A field that is new in v2.0:', await graph.getNode(grace, { ...emma, version: 'v2.0' }))
show('The same field in v1.0:', await catchMessage(graph.getNode(grace, { ...emma, version: 'v1.0' })))

const slip = await catchMessage(
  graph.write([{ op: 'patchNode', id: '201', fields: { isbn: '978-0-14-143958-0' } }]),
)
show('An ISBN with a wrong digit:', slip)
match(slip, /must be an ISBN of 13 digits/)
