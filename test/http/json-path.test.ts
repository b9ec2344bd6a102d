import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateJsonPath } from '../../src/http/batch/evaluate-json-path.ts'
import { parseJsonPath } from '../../src/http/batch/json-path.ts'
import { StepBudget } from '../../src/http/batch/step-budget.ts'
import { propertySettings } from '../property/property-settings.ts'

const createBudget = () => new StepBudget(Number.POSITIVE_INFINITY)

const read = (document: unknown, path: string, steps = createBudget()) =>
  evaluateJsonPath(document, parseJsonPath(path) ?? expect.fail(`${path} is not supported`), steps)

const FRIENDS = {
  data: [
    { id: '1', from: { id: '9', name: 'Ada' } },
    { id: '2', tags: ['x', 'y', 'z'] },
    { id: '3', from: null },
  ],
  paging: { cursors: { after: 'A' } },
  id: '0',
}

describe('a JSON path of a batch', () => {
  it.each<[string, readonly unknown[]]>([
    ['$', [FRIENDS]],
    ['$.id', ['0']],
    ['$.data.*.id', ['1', '2', '3']],
    ['$.data[*].id', ['1', '2', '3']],
    ['$.data.1.id', ['2']],
    ['$.data[1].id', ['2']],
    ["$['data'][1]['id']", ['2']],
    ['$["data"]["1"]["id"]', ['2']],
    ['$.data[0:2].id', ['1', '2']],
    ['$.data[1:].id', ['2', '3']],
    ['$.data[:-1].id', ['1', '2']],
    ['$.data[-1:].id', ['3']],
    ['$.data[-9:9].id', ['1', '2', '3']],
    ['$.data[2:1].id', []],
    ['$.data[:].id', ['1', '2', '3']],
    ['$.data[-1].id', ['3']],
    ['$.data[-3].id', ['1']],
    ['$.data[-4].id', []],
    ['$.data[0,2].id', ['1', '3']],
    ['$.data[2,0].id', ['3', '1']],
    ['$.data[0:1,-1:].id', ['1', '3']],
    ["$['id','paging'].cursors", [{ after: 'A' }]],
    ['$..id', ['1', '9', '2', '3', '0']],
    ['$.data..id', ['1', '9', '2', '3']],
    ['$..from.id', ['9']],
    ['$..tags[-1:]', ['z']],
    ['$..tags..*', ['x', 'y', 'z']],
    ["$..['id','name']", ['1', '9', 'Ada', '2', '3', '0']],
    ['$..[0]', [FRIENDS.data[0], 'x']],
    ['$..[1:].id', ['2', '3']],
    ['$..data..id', ['1', '9', '2', '3']],
    ['$.data.7.id', []],
    ['$.data.01', []],
    ['$.nothing.at.all', []],
    ['$.id.length', []],
    ['$.data.length', []],
    ['$.constructor', []],
    ['$.__proto__', []],
    ['$.data.__proto__', []],
  ])('%s selects %j', (path, expected) => {
    expect(read(FRIENDS, path)).toEqual(expected)
  })

  it('selects members with names such as constructor', () => {
    const document = JSON.parse('{"__proto__":{"x":1},"constructor":{"x":2}}')
    expect(read(document, '$.__proto__.x')).toEqual([1])
    expect(read(document, '$..x')).toEqual([1, 2])
    expect(read(document, '$.*.x')).toEqual([1, 2])
  })

  it('selects members whose names are digits', () => {
    const document = { 1002: { id: '1002' }, 1001: { id: '1001' } }
    expect(read(document, '$.1002.id')).toEqual(['1002'])
    expect(read(document, '$[1001].id')).toEqual(['1001'])
  })

  it.each([
    '',
    'data',
    '.data',
    'data.$',
    '$data',
    '$.',
    '$..',
    '$...id',
    '$.data.',
    '$.data[',
    '$.data[]',
    '$.data[0',
    '$.data[0,]',
    '$.data[,0]',
    '$.data[0:2:1]',
    '$.data[::2]',
    '$.data.[0]',
    '$.data[id]',
    '$.data[?(@.id)]',
    '$.data[(@.length-1)]',
    '$.data.length()',
    '$.data[-0]',
    '$.data[1.5]',
    '$.data[0]id',
    "$['a'b']",
    "$['a\\'b']",
    "$['a]",
    '$.*id',
    '$.id*',
    '$.a b',
    '$ .a',
    '$.a ',
    '$.a,b',
    '$.a@b',
    '$.a:b',
  ])('is rejected if its syntax is not supported: %j', path => {
    expect(parseJsonPath(path)).toBeUndefined()
  })

  it('is accepted or rejected even if it repeats a part 100,000 times', () => {
    for (const part of ["['", '[0', '[0,', '[:', '..', '.a', "['a',", '[-', '[11', '[*,'])
      for (const end of ['', ']', '('])
        expect(parseJsonPath(`$${part.repeat(100_000)}${end}`) === undefined).toBe(
          !(part === '.a' && end === ''),
        )
  })
})

/** Returns all members inside a document with their names, in document order. */
const membersOf = (value: unknown): (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]): (readonly [string, unknown])[] => [
        [name, member],
        ...membersOf(member),
      ])
    : []

const document = fc.jsonValue({ maxDepth: 5 }).map(value => JSON.parse(JSON.stringify(value)))
const named = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
  ),
})).value

describe('a descendant step of a JSON path', () => {
  it('visits each member once, in document order', () => {
    fc.assert(
      fc.property(document, value => {
        const members = membersOf(value).map(([, member]) => member)
        expect(read(value, '$..*')).toEqual(members)
        // The second `..*` starts at every member. A value that it reaches from several members is selected
        // only once.
        const inner = membersOf(value).flatMap(([, member]) =>
          typeof member === 'object' && member !== null ? Object.values(member) : [],
        )
        expect(read(value, '$..*..*')).toHaveLength(inner.length)
      }),
      propertySettings(),
    )
  })

  it('selects every member with its name', () => {
    fc.assert(
      fc.property(named, fc.constantFrom('a', 'b', '0', '1'), (value, name) => {
        const members = membersOf(value).filter(([own]) => own === name)
        expect(read(value, `$..${name}`)).toEqual(members.map(([, member]) => member))
      }),
      propertySettings(),
    )
  })

  it('reaches any depth of a document', () => {
    const depth = 90_000
    expect(read(JSON.parse(`${'[{"a":'.repeat(depth / 2)}7${'}]'.repeat(depth / 2)}`), '$..a').at(-1)).toBe(7)
  })
})

describe('the budget of 100,000 steps for JSON paths', () => {
  const catchReason = (run: () => unknown): unknown => {
    try {
      return { value: run() }
    } catch (error) {
      return Object(error).toJSON().error.error_data
    }
  }
  const exceeded = { reason: 'query_too_expensive', limit: 100_000 }

  it('is reduced by one step for each visited value', () => {
    // The path takes 99,999 steps: one for `list`, one for each entry, and one for each missing `x`.
    const listOf = (length: number) => ({ list: Array.from({ length }, () => ({})) })
    const steps = createBudget()
    expect(catchReason(() => read(listOf(49_999), '$.list.*.x', steps))).toEqual({ value: [] })
    expect(catchReason(() => steps.take(1))).toEqual({ value: undefined })
    expect(catchReason(() => steps.take(1))).toEqual(exceeded)
    expect(catchReason(() => read(listOf(50_000), '$.list.*.x'))).toEqual(exceeded)
  })

  it('stays exceeded after the first path that exceeds it', () => {
    const steps = createBudget()
    const list = Array.from({ length: 1000 }, () => 1)
    for (let time = 0; time < 100; time++) read(list, '$.*', steps)
    expect(catchReason(() => read(list, '$.*', steps))).toEqual(exceeded)
    expect(catchReason(() => read(list, '$', steps))).toEqual({ value: [list] })
    expect(catchReason(() => read(list, '$.0', steps))).toEqual(exceeded)
    expect(catchReason(() => steps.take(0))).toEqual(exceeded)
  })

  it.each(['$.*.*.*.*', '$..*', '$..x', '$..[0,1,2]', '$[:][:][:]', '$..*..*', '$[*,*,*][*,*,*][*,*,*]'])(
    'stops %s when it is used up',
    path => {
      const wide = Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => Array(60).fill(0)))
      expect(catchReason(() => read(wide, path))).toEqual(exceeded)
    },
  )

  it('also stops a path that reaches the deadline', () => {
    const late = new StepBudget(Date.now() - 1)
    expect(catchReason(() => read(Array(2000).fill(0), '$.*', late))).toEqual({ reason: 'timeout' })
  })
})
