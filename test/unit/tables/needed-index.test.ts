import { describe, expect, it } from 'vitest'
import { isServedBy, type NeededIndex } from '../../../src/tables/check/needed-index.ts'

const needed: NeededIndex = {
  table: { schema: 'public', name: 'photo' },
  constants: ['owner_id', 'state'],
  possibleConstants: ['deleted_at'],
  sorted: ['created_at', 'id'],
  conditions: [
    { column: 'state', test: '= public' },
    { column: 'state', test: 'is not null' },
    { column: 'deleted_at', test: 'is null' },
    { column: 'owner_id', test: 'is not null' },
  ],
}

const isServed = (columns: readonly string[], options = {}, list: Partial<NeededIndex> = {}) =>
  isServedBy('postgres', { ...needed, ...list }, { columns, ...options })

describe('an index of a list', () => {
  it('has the constants in any order, then the order of the list, then the key', () => {
    expect(isServed(['owner_id', 'state', 'created_at', 'id'])).toBe(true)
    expect(isServed(['state', 'owner_id', 'created_at', 'id', 'title'])).toBe(true)
  })

  it('may have further columns that a filter makes constant', () => {
    expect(isServed(['owner_id', 'deleted_at', 'state', 'created_at', 'id'])).toBe(true)
  })

  it('does not serve a list without the key, which sorts ties', () => {
    expect(isServed(['owner_id', 'state', 'created_at'])).toBe(false)
  })

  it('does not serve a list whose constants are missing or behind the order', () => {
    expect(isServed(['owner_id', 'created_at', 'id'])).toBe(false)
    expect(isServed(['owner_id', 'created_at', 'id', 'state'])).toBe(false)
    expect(isServed(['created_at', 'id'])).toBe(false)
  })

  it('does not serve a list with another column in between', () => {
    expect(isServed(['owner_id', 'state', 'title', 'created_at', 'id'])).toBe(false)
  })

  it('has one direction in the columns that sort, and any in the constants', () => {
    const columns = ['owner_id', 'state', 'created_at', 'id']
    expect(isServed(columns, { descending: ['created_at', 'id'] })).toBe(true)
    expect(isServed(columns, { descending: ['state'] })).toBe(true)
    expect(isServed(columns, { descending: ['created_at'] })).toBe(false)
  })

  it('of some rows serves a list all of whose rows it contains, without the columns of its condition', () => {
    const index = ['owner_id', 'created_at', 'id']
    expect(isServed(index, { partial: true, where: "(state = 'public'::text)" })).toBe(true)
    expect(
      isServed(index, { partial: true, where: "((deleted_at IS NULL) AND (state = 'public'::text))" }),
    ).toBe(true)
    expect(isServed(index, { partial: true, where: '(deleted_at IS NULL)' })).toBe(false)
    expect(isServed(['created_at', 'id'], { partial: true, where: "(state = 'public'::text)" })).toBe(false)
    expect(
      isServed(['owner_id', 'state', 'created_at', 'id'], { partial: true, where: '(owner_id IS NOT NULL)' }),
    ).toBe(true)
  })

  it('of some rows does not serve a list that may have other rows', () => {
    const index = ['owner_id', 'state', 'created_at', 'id']
    for (const where of [
      "(state = 'draft'::text)",
      '(deleted_at IS NOT NULL)',
      '(caption IS NULL)',
      '((deleted_at IS NULL) AND (caption IS NOT NULL))',
      '((deleted_at IS NULL) OR (caption IS NULL))',
      "(created_at > '2026-01-01'::date)",
      "(lower(state) = 'public'::text)",
      "(state <> 'public'::text)",
    ])
      expect(isServed(index, { partial: true, where }), where).toBe(false)
  })

  it('serves a collection by its order alone', () => {
    const list = { constants: [], possibleConstants: [] }
    expect(isServed(['created_at', 'id'], {}, list)).toBe(true)
    expect(isServed(['owner_id', 'created_at', 'id'], {}, list)).toBe(false)
  })
})
