import { describe, expect, it } from 'vitest'
import {
  acceptsTimes,
  changeOption,
  choicesOf,
  currentOrderOf,
  formatNoValue,
  inputAttributesOf,
  orderNamesOf,
  readParameter,
} from '../../../src/explorer/page/table/list-options.ts'
import { printRequestPath } from '../../../src/explorer/page/target/query.ts'
import { parsePath } from '../../../src/explorer/page/target/target.ts'
import { findEdge } from './schema-view-world.ts'

const change = (path: string, name: string, value: string, edge = findEdge('root', 'events')) =>
  changeOption(parsePath(path), edge, name, value)

describe('the options of a table in the Explorer', () => {
  it('are parameters of the path of its request', () => {
    const path = change('root/events?limit=10', 'upcoming', 'true')
    expect(path).toBe('root/events?limit=10&upcoming=true')
    expect(printRequestPath({ version: 'v1.0', path, fields: 'title, rank' })).toBe(
      '/v1.0/root/events?limit=10&upcoming=true&fields=title%2Crank',
    )
    expect(readParameter(parsePath(path), 'upcoming')).toBe('true')
    expect(readParameter(parsePath(path), 'order')).toBe('')
  })

  it('replace an earlier value, and are absent if they are empty', () => {
    expect(change('root/events?upcoming=true', 'upcoming', 'false')).toBe('root/events?upcoming=false')
    expect(change('root/events?upcoming=true', 'upcoming', '')).toBe('root/events')
  })

  it('lead to the first page, because cursors belong to the previous options', () => {
    expect(change('root/events?after=x&limit=2', 'upcoming', 'true')).toBe(
      'root/events?limit=2&upcoming=true',
    )
    expect(change('root/events?before=x', 'limit', '5')).toBe('root/events?limit=5')
  })

  it('encode any text', () => {
    const path = change('root/events', 'host', 'a&b=c ü#?')
    expect(readParameter(parsePath(path), 'host')).toBe('a&b=c ü#?')
  })

  it('have the declared orders and the orders by time', () => {
    const guests = findEdge('event', 'guests')
    expect(orderNamesOf(guests)).toEqual(['newest', 'best', 'chronological', 'reverse_chronological'])
    expect(currentOrderOf(parsePath('1/guests'), guests)).toBe('newest')
    expect(currentOrderOf(parsePath('1/guests?order=best'), guests)).toBe('best')
    expect(orderNamesOf(findEdge('root', 'events'))).toEqual(['chronological', 'reverse_chronological'])
    expect(orderNamesOf(findEdge('event', 'similar'))).toEqual(['reverse_chronological'])
  })

  it('have times only in an order by time', () => {
    for (const [type, name, order, expected] of [
      ['event', 'guests', 'newest', true],
      ['event', 'guests', 'chronological', true],
      ['event', 'guests', 'best', false],
      ['event', 'similar', 'reverse_chronological', false],
      ['event', 'nearby', 'reverse_chronological', true],
      ['root', 'events', 'chronological', true],
      ['root', 'ranked', 'reverse_chronological', false],
      ['root', 'people', 'chronological', false],
    ] as const)
      expect(acceptsTimes(findEdge(type, name), order), `${type} ${name} ${order}`).toBe(expected)
  })

  it('lose their times with an order that does not accept times', () => {
    const guests = findEdge('event', 'guests')
    const path = '1/guests?since=2026-01-01&until=2027-01-01&limit=5'
    expect(change(path, 'order', 'best', guests)).toBe('1/guests?limit=5&order=best')
    expect(change(path, 'order', 'chronological', guests)).toBe(
      '1/guests?since=2026-01-01&until=2027-01-01&limit=5&order=chronological',
    )
  })

  it('have the words of an enum and the values of a bool as choices', () => {
    expect(choicesOf({ name: 'p', type: 'enum', words: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(choicesOf({ name: 'p', type: 'bool' })).toEqual(['true', 'false'])
    expect(choicesOf({ name: 'p', type: 'int' })).toBeUndefined()
  })

  it('describe what no value means', () => {
    expect(formatNoValue({ name: 'p', type: 'enum', default: 'a' })).toBe('a (default)')
    expect(formatNoValue({ name: 'p', type: 'int', required: true })).toBe('required')
    expect(formatNoValue({ name: 'p', type: 'string' })).toBe('any')
  })

  it('have an input of their type, unless it cannot show the value', () => {
    expect(inputAttributesOf('int', '')).toEqual({ type: 'number' })
    expect(inputAttributesOf('float', '')).toEqual({ type: 'number', step: 'any' })
    expect(inputAttributesOf('datetime', '')).toEqual({ type: 'datetime-local' })
    expect(inputAttributesOf('datetime', '2026-01-31T12:00')).toEqual({ type: 'datetime-local' })
    for (const text of ['2026-01-31', '2026-01-31T12:00:00+0100', '1700000000'])
      expect(inputAttributesOf('datetime', text)).toEqual({ type: 'text' })
    for (const type of ['string', 'id'] as const)
      expect(inputAttributesOf(type, 'x')).toEqual({ type: 'text' })
  })
})
