import { describe, expect, it } from 'vitest'
import { LineSplitter } from '../../../src/write/line-splitter.ts'
import { createWrittenGraph, put } from './written-graph.ts'

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
  it('may be as long as a record that was written', async () => {
    const { write, store } = createWrittenGraph()
    const name = 'x'.repeat(3_000_000)
    await write([put('1', 'photo', { name })])
    const dump = [...store.dump()]
    expect(await loadNames(dump)).toEqual({ names: [name], faults: [] })
    expect(await loadNames(dump.join('').match(/.{1,65536}|\n/g) ?? [])).toEqual({
      names: [name],
      faults: [],
    })
  })

  /** What a splitter of lines of at most ten characters makes of pieces; what is too long as what a fault shows of it. */
  const split = (...pieces: readonly string[]): readonly string[] => {
    const splitter = new LineSplitter(10)
    const lines = pieces.flatMap(piece => [...splitter.split(piece)])
    return [...lines, splitter.end()].map(line =>
      typeof line === 'string' ? line : `too long: ${line.came}`,
    )
  }

  it('may be of as many characters as the limit says where it comes in pieces', () => {
    expect(split('12345', '67890', '\nnext')).toEqual(['1234567890', 'next'])
  })

  it('may not be longer, and the next one is read all the same', () => {
    expect(split('12345', '67890', '1\nnext')).toEqual(['too long: "1234567890"', 'next'])
  })

  it('may be of any length in one piece, which is in memory already', () => {
    expect(split('12345678901\nnext')).toEqual(['12345678901', 'next'])
  })

  it('that never ends is let go of', () => {
    const piece = 'x'.repeat(2 ** 20)
    const pieces = Array.from({ length: 2000 }, () => piece)
    expect(split(...pieces)).toEqual([expect.stringMatching(/^too long: "x{60}…"$/)])
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
