import { assertEqual } from '../assertions.ts'
import { createNode, createRange, createToken, putEdge, putNode, putNodes, targetsOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

/**
 * Well-formed, distinct texts that naive joins, escapes, collations, patterns and plain objects handle
 * wrongly.
 */
export const TEXTS = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000',
    'a\u0000b',
    '\\u0000',
    '\u0001',
    '\t\r\n',
    '\u007f',
    '\u2028',
    '\ufeff',
    '\uffff',
  ],
  ...['😀', '👩‍👩‍👧', 'é', 'e\u0301', 'ß', 'ss', 'İ', 'ı', 'K', '\u212a', 'مرحبا', '漢字'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'then', 'toJSON'],
  ...[':', '/', '|', ',', '.', ';', '#', '%', '_', '*', '?', '$1', '{x}', '[0]', '\\', '"', "'", '`', '--'],
  ...[
    'a:b',
    'a:',
    ':a',
    'a/b',
    'a|b',
    'a%',
    'A',
    'a',
    'a ',
    ' a',
    'null',
    'undefined',
    '0',
    '-1',
    'x'.repeat(300),
  ],
]
const ids = TEXTS.map((_, index) => `${1000 + index}`)
const idOf = (index: number): string => ids[index] ?? ''

export const describeText = ({ test, writeTest }: StoreSuite): void => {
  test('any text is a valid edge name, distinct from every other text', async store => {
    await store.write(...putNodes('1', ...ids))
    await store.write(...TEXTS.map((name, index) => putEdge('1', name, idOf(index), index)))
    const { ranges } = await store.read({ ranges: TEXTS.map(name => createRange('1', name)) })
    TEXTS.forEach((name, index) => {
      assertEqual(targetsOf(ranges[index]), [idOf(index)], `the list of ${JSON.stringify(name)}`)
    })
    const { checks } = await store.read({
      checks: TEXTS.flatMap((name, index) => [
        { source: '1', name, target: idOf(index) },
        { source: '1', name, target: idOf((index + 1) % ids.length) },
      ]),
    })
    assertEqual(
      checks,
      TEXTS.flatMap(() => [true, false]),
      'the checks',
    )
  })

  test('any text is valid as a type, a field name and a field value, and in the data of an edge', async store => {
    const createFields = (text: string) =>
      Object.fromEntries([
        [text, text],
        ['value', { [`${text}`]: [text] }],
      ])
    await store.write(...TEXTS.map((text, index) => putNode(idOf(index), createFields(text), text)))
    await store.write(
      ...TEXTS.map((text, index) => putEdge(idOf(index), 'self', idOf(index), 0, createFields(text))),
    )
    const { nodes, ranges } = await store.read({ nodes: ids, ranges: ids.map(id => createRange(id, 'self')) })
    TEXTS.forEach((text, index) => {
      assertEqual(
        nodes[index],
        createNode(idOf(index), createFields(text), text),
        `the node of ${JSON.stringify(text)}`,
      )
      assertEqual(ranges[index]?.entries[0]?.data, createFields(text), `the data of ${JSON.stringify(text)}`)
    })
  })

  test('a text of 92 KiB is valid in a field, a patch and the data of an edge', async store => {
    const text = 'long text, \u0000 and 😀; '.repeat(4096)
    await store.write(...putNodes('1'), putNode('2', { text }), putEdge('1', 'likes', '2', 0, { text }))
    await store.write({ op: 'patchNode', id: '1', fields: { text } })
    assertEqual(await store.readNode('1'), createNode('1', { text }), 'the patched node')
    const entry = { target: '2', time: 0, data: { text }, node: createNode('2', { text }) }
    assertEqual((await store.readList('1', 'likes')).entries, [entry], 'the list')
  })

  writeTest('a patch sets and removes a field of any name', async store => {
    await store.write(...putNodes('1'))
    const allFields = Object.fromEntries(TEXTS.map(text => [text, text]))
    await store.write({ op: 'patchNode', id: '1', fields: allFields })
    assertEqual(await store.readNode('1'), createNode('1', allFields), 'the node with all fields')
    await store.write({
      op: 'patchNode',
      id: '1',
      fields: Object.fromEntries(TEXTS.map(text => [text, null])),
    })
    assertEqual(await store.readNode('1'), createNode('1'), 'the node without the removed fields')
  })

  test('any text is a valid digest, app and scope of a token', async store => {
    const tokens = TEXTS.map(text => createToken(text, { scopes: [text, 'email'] }))
    await store.write(
      ...TEXTS.map((digest, index) => ({
        op: 'putToken' as const,
        digest,
        token: tokens[index] ?? createToken(''),
      })),
    )
    assertEqual((await store.read({ tokens: TEXTS })).tokens, tokens, 'the tokens')
  })

  test('edges stay distinct even if the joined texts of source, name and target are equal', async store => {
    await store.write(...putNodes('1', '11', '12', '2', '3', '23'))
    const edges = [
      ['1', '2a', '3'],
      ['12', 'a', '3'],
      ['1', 'a', '23'],
      ['1', 'a2', '3'],
      ['1', '1', '2'],
      ['11', '', '2'],
      ['1', '', '12'],
    ] as const
    await store.write(...edges.map(([source, name, target], time) => putEdge(source, name, target, time)))
    const { ranges } = await store.read({ ranges: edges.map(([source, name]) => createRange(source, name)) })
    assertEqual(
      ranges.map(targetsOf),
      edges.map(([, , target]) => [target]),
      'the lists',
    )
    assertEqual(
      ranges.map(rangeResult => rangeResult.total),
      edges.map(() => 1),
      'the counts',
    )
  })
}
