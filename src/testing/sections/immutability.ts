import type { Mutation } from '../../store/contract.ts'
import { assertEqual } from '../assertions.ts'
import { putEdge, putNode, rangeOf, tokenOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const SCRIBBLE = 'scribbled'

const mutations = (): Mutation[] => [
  putNode('1', { name: 'Ada', list: [{ n: 1 }], object: { a: 1 } }),
  putNode('2', { name: 'Grace', list: [] }),
  putEdge('1', 'likes', '2', 1, { list: [1], object: {} }),
  { op: 'putToken', digest: 'abc', token: tokenOf('demo', { scopes: ['email'] }) },
]

const WAVE = {
  nodes: ['1', '2'],
  ranges: [rangeOf('1', 'likes')],
  tests: [{ source: '1', name: 'likes', target: '2' }],
  tokens: ['abc'],
}

/** Changes whatever of a value can be changed. What is frozen stays as it is, which does as well. */
const scribbleOn = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  for (const name of Object.keys(value)) {
    scribbleOn(Reflect.get(value, name))
    Reflect.set(value, name, SCRIBBLE)
  }
  Reflect.set(value, Array.isArray(value) ? `${value.length}` : SCRIBBLE, SCRIBBLE)
}

export const describeImmutability = ({ test }: StoreSuite): void => {
  test('changing what was answered changes no later answer', async store => {
    await store.write(...mutations())
    const before = structuredClone(await store.read(WAVE))
    for (const about of ['the second answer', 'the third answer']) {
      scribbleOn(await store.read(WAVE))
      assertEqual(await store.read(WAVE), before, about)
    }
  })

  test('changing what was handed in changes nothing that was written', async store => {
    const handed = mutations()
    await store.write(...handed)
    const before = structuredClone(await store.read(WAVE))
    scribbleOn(handed)
    assertEqual(await store.read(WAVE), before, 'the answer')
  })

  test('a patch handed in is copied as well', async store => {
    await store.write(...mutations())
    const fields = { list: [{ n: 2 }] }
    await store.write({ op: 'patchNode', id: '1', fields })
    scribbleOn(fields)
    assertEqual((await store.node('1'))?.fields.list, [{ n: 2 }], 'the field')
  })

  test('an answer stays as it is when its node is written again', async store => {
    await store.write(...mutations())
    const { nodes, ranges } = await store.read(WAVE)
    const before = structuredClone({ nodes, ranges })
    await store.write(
      { op: 'patchNode', id: '2', fields: { name: 'Barbara', list: null } },
      putEdge('1', 'likes', '2', 9),
    )
    assertEqual({ nodes, ranges }, before, 'the answer of before')
  })
}
