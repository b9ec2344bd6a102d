import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import { findServerIssues } from '../../../src/explorer/page/action/server-issues.ts'

const PATHS = ['message', 'tags', 'tags[0]', 'place', 'place.city']

const find = (parameters: JsonValue): { readonly [path: string]: string } =>
  Object.fromEntries(findServerIssues({ error: { message: '', error_data: { parameters } } }, PATHS))

describe('the issues that the graph reports about the values of a form', () => {
  it('are at the paths of the values, or at the nearest value around them', () => {
    const issueAt = (parameter: string) => Object.keys(find([{ parameter, message: 'is wrong' }]))
    expect(issueAt('place.city')).toEqual(['place.city'])
    expect(issueAt('tags[0]')).toEqual(['tags[0]'])
    expect(issueAt('tags[7].name')).toEqual(['tags'])
    expect(issueAt('place.city.part[2]')).toEqual(['place.city'])
    expect(issueAt('other')).toEqual([])
    expect(issueAt('')).toEqual([])
  })

  it('have the message of a validator, or what was expected and received', () => {
    expect(
      find([
        { parameter: 'message', message: 'Too rude' },
        { parameter: 'tags', expected: 'an array', received: '5' },
        { parameter: 'place', expected: 'an object' },
      ]),
    ).toEqual({ message: 'Too rude', tags: 'must be an array; received 5', place: 'must be an object' })
  })

  it.each([undefined, null, 'text', [], {}, { error: 5 }, { error: { error_data: { parameters: {} } } }])(
    'are none in another response: %j',
    body => {
      expect(findServerIssues(body, PATHS).size).toBe(0)
    },
  )
})
