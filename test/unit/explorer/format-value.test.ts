import { expect, it } from 'vitest'
import { formatValue } from '../../../src/explorer/page/action/format-value.ts'

it('the form of an action describes a value with its type, its limits, its default and its meaning', () => {
  expect(formatValue({ type: 'string', maxLength: 2000, description: 'The text.' })).toBe(
    'string, at most 2,000 characters. The text.',
  )
  expect(formatValue({ type: 'int', min: 0, max: 9, default: 3 })).toBe(
    'int, at least 0, at most 9, default 3',
  )
  expect(formatValue({ type: 'node', types: ['user', 'page'] })).toBe('id of user or page')
  expect(formatValue({ type: 'datetime' })).toBe('datetime, UTC')
  expect(formatValue({ type: 'list', maxItems: 2, items: { type: 'int' } })).toBe('list, at most 2 items')
})
