import { describe, expect, it } from 'vitest'
import { createDrafts, type Drafts } from '../../../src/explorer/page/action/draft.ts'
import { readDrafts } from '../../../src/explorer/page/action/read-drafts.ts'
import type { ParameterView } from '../../../src/explorer/parameter-view.ts'

const parameters: readonly ParameterView[] = [
  { name: 'message', type: 'string', required: true, maxLength: 5 },
  { name: 'count', type: 'int', min: 0, max: 9 },
  { name: 'ratio', type: 'float' },
  { name: 'open', type: 'bool' },
  { name: 'time', type: 'datetime' },
  { name: 'photo', type: 'node', types: ['photo'], nullable: true },
  { name: 'tags', type: 'list', maxItems: 2, items: { type: 'string' } },
  {
    name: 'place',
    type: 'object',
    members: [
      { name: 'city', type: 'string', required: true },
      { name: 'stops', type: 'list', items: { type: 'object', members: [{ name: 'id', type: 'int' }] } },
    ],
  },
]

const read = (drafts: Drafts) => {
  const { values, issues } = readDrafts(parameters, drafts)
  return { values, issues: Object.fromEntries(issues) }
}

describe('the values of a form in the Explorer', () => {
  it('are converted to the types of their parameters, and those that are not given are left out', () => {
    const drafts = {
      message: '',
      count: ' 7 ',
      ratio: '1.5',
      open: 'false',
      time: '2014-08-03T10:30',
      photo: null,
      tags: ['a', ''],
      place: { city: 'Paris', stops: [{ id: '3' }, { id: undefined }] },
    }
    expect(read(drafts)).toEqual({
      values: {
        message: '',
        count: 7,
        ratio: 1.5,
        open: false,
        time: '2014-08-03T10:30Z',
        photo: null,
        tags: ['a', ''],
        place: { city: 'Paris', stops: [{ id: 3 }, {}] },
      },
      issues: {},
    })
    expect(read({ message: 'Hi' })).toEqual({ values: { message: 'Hi' }, issues: {} })
    expect(read({ message: 'Hi', tags: [] }).values).toEqual({ message: 'Hi', tags: [] })
  })

  it('are wrong at their paths: without a required value, outside of their limits, or of another type', () => {
    const drafts = {
      count: '10',
      ratio: 'much',
      tags: ['a', undefined, 'c'],
      place: { city: undefined, stops: [{ id: '1.5' }] },
    }
    expect(read(drafts).issues).toEqual({
      message: 'must be given, since it is required',
      count: 'must be at most 9',
      ratio: 'must be a number',
      tags: 'must have at most 2 items; has 3',
      'tags[1]': 'must be given, since it is required',
      'place.city': 'must be given, since it is required',
      'place.stops[0].id': 'must be an integer',
    })
    expect(read({ message: 'longer', count: '-1' }).issues).toEqual({
      message: 'must have at most 5 characters; has 6',
      count: 'must be at least 0',
    })
  })

  it('have all required lists and objects from the start', () => {
    const required = parameters.map(view => ({ ...view, required: true }) as const)
    const drafts = createDrafts(required)
    expect([drafts.tags, drafts.place, drafts.message]).toEqual([
      [],
      { city: undefined, stops: undefined },
      undefined,
    ])
    expect(createDrafts(parameters).tags).toBeUndefined()
  })

  it('keep an integer that JSON cannot contain exactly as a text', () => {
    expect(readDrafts([{ name: 'n', type: 'int' }], { n: '90071992547409931' }).values).toEqual({
      n: '90071992547409931',
    })
  })
})
