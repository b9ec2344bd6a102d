import { describe, expect, it } from 'vitest'
import { createRequestState } from '../../../src/explorer/page/state/request-state.ts'
import {
  countableNamesOf,
  parseCount,
  printCountPath,
} from '../../../src/explorer/page/table/collection-counts.ts'
import { eventSchemaView, findEdge } from './schema-view-world.ts'

const createRequest = (hasCollections: boolean) => {
  const initial = { token: '', fields: 'name', hasCollections }
  const { mode, query } = createRequestState('https://api.example/graph', initial)
  return [mode.peek(), query.peek()]
}

describe('the first request of the Explorer', () => {
  it('is for the node of collections as a table, without the initial fields, which belong to me', () => {
    expect(createRequest(true)).toEqual(['table', { version: '', path: 'root', fields: '' }])
  })

  it('is for the path me as a query in a schema without collections', () => {
    expect(createRequest(false)).toEqual(['query', { version: '', path: 'me', fields: 'name' }])
  })
})

describe('the count of a collection in the Explorer', () => {
  it('is read without nodes', () => {
    expect(printCountPath('v1.0', 'people')).toBe('/v1.0/root/people?limit=0&summary=true&fields=id')
  })

  it('is not read for a collection with a required parameter, nor for very many collections', () => {
    const collections = eventSchemaView.types.find(({ name }) => name === 'root')?.edges ?? []
    expect(collections.map(({ name }) => name)).toEqual(['events', 'ranked', 'people', 'hosted'])
    expect(countableNamesOf(collections)).toEqual(['events', 'ranked', 'people'])
    expect(countableNamesOf(Array.from({ length: 99 }, () => findEdge('root', 'people')))).toHaveLength(24)
  })

  it('is the number in the summary of the response, or the message of the error', () => {
    expect(parseCount({ data: [], summary: { total_count: 0 } })).toEqual({ count: 0 })
    expect(parseCount({ error: { message: 'Requires the scope people' } })).toEqual({
      error: 'Requires the scope people',
    })
    for (const body of [undefined, {}, { data: [], summary: {} }]) expect(parseCount(body)).toEqual({})
  })
})
