import { describe, expect, it } from 'vitest'
import type { ExpressionParent } from '../../../src/explorer/page/schema/lookup.ts'
import {
  columnsOf,
  findLinkKey,
  selectedItemsOf,
  toggleColumn,
} from '../../../src/explorer/page/table/columns.ts'
import { parseFields } from '../../../src/fields/parse.ts'
import { printFields } from '../../../src/fields/print.ts'
import { eventSchemaView, findEdge } from './schema-view-world.ts'

const parse = (text: string) => parseFields(text, { length: 1000, depth: 9, fields: 99 })
const events: ExpressionParent = { types: ['event'], edge: findEdge('root', 'events') }
const toggle = (text: string, name: string, parent = events) =>
  printFields(toggleColumn(eventSchemaView, parent, parse(text), name))
const columnKeys = (text: string) => columnsOf(parse(text)).map(({ key }) => key)

describe('the columns of a table in the Explorer', () => {
  it('are the default fields if the expression is empty', () => {
    expect(printFields(selectedItemsOf(eventSchemaView, events, []))).toBe('id,title')
    const guests = { types: ['person'], edge: findEdge('event', 'guests') }
    expect(printFields(selectedItemsOf(eventSchemaView, guests, []))).toBe('id,name')
  })

  it('are the fields that the edge names instead of the default fields', () => {
    const similar = { types: ['event'], edge: findEdge('event', 'similar') }
    expect(printFields(selectedItemsOf(eventSchemaView, similar, []))).toBe('id,start_time')
  })

  it('are the items of the expression in their order, with their aliases', () => {
    expect(columnKeys('start_time,title.as(name_of_it),rank')).toEqual(['start_time', 'name_of_it', 'rank'])
  })

  it('include the id if no other column identifies the nodes', () => {
    expect(columnKeys('rank')).toEqual(['id', 'rank'])
    expect(columnKeys('rank,id')).toEqual(['rank', 'id'])
  })

  it('have their links in the column that identifies the nodes best', () => {
    expect(findLinkKey(parse('message,id,name'))).toBe('name')
    expect(findLinkKey(parse('id,title.as(heading)'))).toBe('heading')
    expect(findLinkKey(parse('rank'))).toBe('id')
  })

  it('are added after the default fields, and removed from them', () => {
    expect(toggle('', 'rank')).toBe('id,title,rank')
    expect(toggle('', 'title')).toBe('id')
    expect(toggle('title,guests.limit(2){name}', 'title')).toBe('guests.limit(2){name}')
  })

  it('never become empty, because an empty expression selects the default fields', () => {
    expect(toggle('title', 'title')).toBe('id')
    expect(toggle('id', 'id')).toBe('id')
  })

  it('show a ref by its default fields, or by the field that identifies its node', () => {
    expect(toggle('title', 'host')).toBe('title,host')
    expect(toggle('title', 'venue')).toBe('title,venue{title}')
    expect(toggle('title,venue{title}', 'venue')).toBe('title')
  })
})
