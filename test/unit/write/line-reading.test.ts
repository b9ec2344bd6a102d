import { describe, expect, it } from 'vitest'
import { faultOf } from '../abuse/fault-of.ts'
import { createWrittenGraph } from './written-graph.ts'

const LONGEST = 2 ** 20
const nodeLine = (id: number, name: string) =>
  JSON.stringify({ node: { id: `${id}`, type: 'photo', fields: { name } } })
const encode = (text: string) => new TextEncoder().encode(text)

/** Loads a source, skipping what does not fit: the names that were stored, and the faults. */
const loadNames = async (source: Parameters<ReturnType<typeof createWrittenGraph>['load']>[0]) => {
  const { load, store } = createWrittenGraph()
  const faults: unknown[] = []
  await load(source, {
    onFault: ({ data: { line, expected } }) => {
      faults.push([line, expected])
      return 'skip'
    },
  })
  return { names: [...store.dump()].map(line => JSON.parse(line).node.fields.name), faults }
}

describe('a line', () => {
  const line = (length: number) => {
    const around = nodeLine(1, '').length
    return nodeLine(1, 'x'.repeat(length - around))
  }

  it('may be of 2^20 characters', async () => {
    const { names, faults } = await loadNames(line(LONGEST))
    expect([names.length, faults]).toEqual([1, []])
  })

  it.each([
    ['in one piece', [`${line(LONGEST + 1)}\n${nodeLine(2, 'next')}`]],
    ['in pieces', [...(line(LONGEST + 1).match(/.{1,5000}/g) ?? []), '\n', nodeLine(2, 'next')]],
  ])('may not be longer, and the next one is read all the same: %s', async (_, source) => {
    const { names, faults } = await loadNames(source)
    expect(names).toEqual(['next'])
    expect(faults).toEqual([[1, 'a line of at most 1048576 characters']])
  })

  it('that never ends is let go of', async () => {
    const { load } = createWrittenGraph()
    const piece = 'x'.repeat(LONGEST)
    const source = Array.from({ length: 2000 }, () => piece)
    const error = await faultOf(load(source))
    expect(error.data).toMatchObject({ line: 1, came: expect.stringMatching(/^"x{60}…"$/) })
  })
})

describe('bytes that are no UTF-8', () => {
  const bad = [0x22, 0xff, 0x22]

  it('spoil their own line alone', async () => {
    const source = Uint8Array.from([
      ...encode(`${nodeLine(1, 'grüße')}\n`),
      ...bad,
      ...encode(`\n${nodeLine(2, '日本')}\n`),
    ])
    const expected = { names: ['grüße', '日本'], faults: [[2, 'well-formed Unicode']] }
    expect(await loadNames(source)).toEqual(expected)
    expect(await loadNames(Array.from(source, byte => Uint8Array.of(byte)))).toEqual(expected)
  })

  it.each([
    ['a character cut off at the end', encode('{"node":"ü').slice(0, -1)],
    ['a character cut off at the end of a line', [encode('{"node":"ü').slice(0, -1), encode('\n')]],
    ['half of a pair, as three bytes', Uint8Array.of(0xed, 0xa0, 0x80)],
    ['more continuation than there is to continue', Uint8Array.of(0x80, 0x80, 0x80, 0x80)],
  ])('may be %s', async (_, source) => {
    expect((await loadNames(source)).faults).toEqual([[1, 'well-formed Unicode']])
  })

  it('are not taken for what a whole character at the end is', async () => {
    expect((await loadNames(encode('日'))).faults).toEqual([[1, 'JSON']])
  })

  it('are not mistaken for the character that often replaces them', async () => {
    expect(await loadNames(encode(nodeLine(1, '\ufffd')))).toEqual({ names: ['\ufffd'], faults: [] })
  })
})

describe('text', () => {
  it('may be cut within a pair of surrogates', async () => {
    const line = nodeLine(1, '😀')
    const middle = line.indexOf('😀') + 1
    expect((await loadNames([line.slice(0, middle), line.slice(middle)])).names).toEqual(['😀'])
  })

  it('may not hold half of a pair', async () => {
    const line = nodeLine(1, '😀').replace('😀', '\ud83d')
    expect((await loadNames(line)).faults).toEqual([[1, 'well-formed Unicode']])
  })
})
