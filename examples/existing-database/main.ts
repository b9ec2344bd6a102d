/**
 * Reads a graph over tables that exist already, in SQLite, or in Postgres with one more argument:
 *
 *     npx tsx examples/existing-database/main.ts
 *     npx tsx examples/existing-database/main.ts postgres://user:password@host/database
 */
import assert from 'node:assert/strict'
import { isGraphError } from 'kithgraph'
import { printJson } from '../shared/print-json.ts'
import { openShop } from './open-shop.ts'

const graph = await openShop(process.argv[2])
const customer = graph.session({ viewer: 'customer-14', app: 'shop', scopes: ['email'] })
const staff = graph.session({ viewer: undefined, app: 'desk', scopes: ['staff'] })

/** Removes cursors and links, which are different in each run. */
const withoutPaging = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, member) => (name === 'paging' ? undefined : member)))

const print = (title: string, value: unknown): void =>
  console.log(`# ${title}\n${printJson(withoutPaging(value), 3)}\n`)

const me = await graph.getMe(customer, {
  fields:
    'first_name,email,support_rep,invoices.limit(2){invoice_time,total,lines.limit(1){quantity,track{name}}}',
})
print('The viewer, with invoices', me)

const drafts = await graph.getEdge(customer, {
  id: 'customer-14',
  edge: 'reviews',
  parameters: { state: 'draft' },
  fields: 'body,state,created_time,details',
  summary: true,
})
print('A filter: the drafts of the viewer', { drafts: drafts.summary?.total_count, first: drafts.data[0] })

const longest = await graph.getEdge(customer, { id: 'genre-1', edge: 'tracks', order: 'longest', limit: 2 })
print('An order: the longest tracks of a genre', longest.data)

const albums = await graph.getNode(customer, {
  id: 'root',
  fields: 'albums.limit(2).summary(true){title,artist}',
})
print('A collection: albums by title', albums)

const playlists = await graph.getEdge(customer, {
  id: 'customer-14',
  edge: 'shared_playlists',
  fields: 'name,role,owner,members.limit(2){first_name,role}',
})
print('Entries with fields of a join table', playlists.data)

// The time of ten reviews differs in microseconds only. Pages of one entry return each of them once.
const found = new Set<string>()
for await (const { id } of graph.iterateEdge(customer, { id: 'album-1', edge: 'reviews', limit: 1 }))
  found.add(id)
const { summary } = await graph.getEdge(customer, { id: 'album-1', edge: 'reviews', summary: true })
assert.equal(found.size, summary?.total_count)
console.log(`# Microseconds\n${found.size} reviews, one on each page\n`)

const reasonOf = (error: unknown): string => (isGraphError(error) ? error.reason : String(error))
const other = await graph.getNode(customer, { id: 'invoice-1' }).catch(reasonOf)
const asStaff = await graph.getNode(staff, {
  id: 'invoice-1',
  fields: 'total,customer{last_name,support_rep{manager}}',
})
print('A policy: an invoice of someone else, for the viewer and for staff', {
  customer: other,
  staff: asStaff,
})

await graph.close()
