import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonPath } from '../../src/http/batch/json-path.ts'
import { select } from '../../src/http/batch/select.ts'
import { StepBudget } from '../../src/http/batch/step-budget.ts'
import { settings } from '../property/settings.ts'

const budget = () => new StepBudget(Number.POSITIVE_INFINITY)

const read = (document: unknown, path: string, steps = budget()) =>
  select(document, parseJsonPath(path) ?? expect.fail(`${path} is not supported`), steps)

const FRIENDS = {
  data: [
    { id: '1', from: { id: '9', name: 'Ada' } },
    { id: '2', tags: ['x', 'y', 'z'] },
    { id: '3', from: null },
  ],
  paging: { cursors: { after: 'A' } },
  id: '0',
}

describe('a path of a batch', () => {
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

  it('selects members that are called as those that every object has', () => {
    const document = JSON.parse('{"__proto__":{"x":1},"constructor":{"x":2}}')
    expect(read(document, '$.__proto__.x')).toEqual([1])
    expect(read(document, '$..x')).toEqual([1, 2])
    expect(read(document, '$.*.x')).toEqual([1, 2])
  })

  it('selects members of objects whose names are digits', () => {
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
  ])('%j is not supported', path => {
    expect(parseJsonPath(path)).toBeUndefined()
  })

  it('is parsed in a time that its length bounds', () => {
    for (const part of ["['", '[0', '[0,', '[:', '..', '.a', "['a',", '[-', '[11', '[*,'])
      for (const end of ['', ']', '('])
        expect(parseJsonPath(`$${part.repeat(100_000)}${end}`) === undefined).toBe(
          !(part === '.a' && end === ''),
        )
  })
})

/** All members inside of a document with their names, in the order in which they are written. */
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

describe('a deep step', () => {
  it('visits each member once, in the order of the document', () => {
    fc.assert(
      fc.property(document, value => {
        const members = membersOf(value).map(([, member]) => member)
        expect(read(value, '$..*')).toEqual(members)
        // The second step starts from each member, and selects what is inside of it once.
        const inner = membersOf(value).flatMap(([, member]) =>
          typeof member === 'object' && member !== null ? Object.values(member) : [],
        )
        expect(read(value, '$..*..*')).toHaveLength(inner.length)
      }),
      settings(),
    )
  })

  it('selects what every member of its name is', () => {
    fc.assert(
      fc.property(named, fc.constantFrom('a', 'b', '0', '1'), (value, name) => {
        const members = membersOf(value).filter(([own]) => own === name)
        expect(read(value, `$..${name}`)).toEqual(members.map(([, member]) => member))
      }),
      settings(),
    )
  })

  it('goes as deep as a document does', () => {
    const depth = 90_000
    expect(read(JSON.parse(`${'[{"a":'.repeat(depth / 2)}7${'}]'.repeat(depth / 2)}`), '$..a').at(-1)).toBe(7)
  })
})

describe('the budget of paths', () => {
  const reasonOf = (run: () => unknown): unknown => {
    try {
      return { value: run() }
    } catch (error) {
      return Object(error).data
    }
  }
  const exceeded = { reason: 'too_costly', limit: 100_000 }

  it('is a step for each value that is visited', () => {
    // One for `list`, one for each entry, and one for each `x` that is not there.
    const listOf = (length: number) => ({ list: Array.from({ length }, () => ({})) })
    const steps = budget()
    expect(reasonOf(() => read(listOf(49_999), '$.list.*.x', steps))).toEqual({ value: [] })
    expect(reasonOf(() => steps.take(1))).toEqual({ value: undefined })
    expect(reasonOf(() => steps.take(1))).toEqual(exceeded)
    expect(reasonOf(() => read(listOf(50_000), '$.list.*.x'))).toEqual(exceeded)
  })

  it('ends with the first path that exceeds it', () => {
    const steps = budget()
    const list = Array.from({ length: 1000 }, () => 1)
    for (let time = 0; time < 100; time++) read(list, '$.*', steps)
    expect(reasonOf(() => read(list, '$.*', steps))).toEqual(exceeded)
    expect(reasonOf(() => read(list, '$', steps))).toEqual({ value: [list] })
    expect(reasonOf(() => read(list, '$.0', steps))).toEqual(exceeded)
    expect(reasonOf(() => steps.take(0))).toEqual(exceeded)
  })

  it.each(['$.*.*.*.*', '$..*', '$..x', '$..[0,1,2]', '$[:][:][:]', '$..*..*', '$[*,*,*][*,*,*][*,*,*]'])(
    'ends %s before it has visited more',
    path => {
      const wide = Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => Array(60).fill(0)))
      expect(reasonOf(() => read(wide, path))).toEqual(exceeded)
    },
  )

  it('ends at the deadline, too', () => {
    const late = new StepBudget(Date.now() - 1)
    expect(reasonOf(() => read(Array(2000).fill(0), '$.*', late))).toEqual({ reason: 'deadline' })
  })
})
