import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import { createRange, createToken, putEdge, putNode } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const CHANGED_TEXT = 'scribbled'

const createMutations = (): StoreMutation[] => [
  putNode('1', { name: 'Ada', list: [{ n: 1 }], object: { a: 1 } }),
  putNode('2', { name: 'Grace', list: [] }),
  putEdge('1', 'likes', '2', 1, { list: [1], object: {} }),
  { op: 'putToken', digest: 'abc', token: createToken('demo', { scopes: ['email'] }) },
]

const REQUEST = {
  nodes: ['1', '2'],
  ranges: [createRange('1', 'likes')],
  checks: [
    { source: '1', name: 'likes', target: '2' },
    { source: '1', name: 'likes', target: '2', data: true },
  ],
  tokens: ['abc'],
}

/** Changes all parts of a value that are not frozen. */
export const mutateDeep = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  for (const name of Object.keys(value)) {
    mutateDeep(Reflect.get(value, name))
    Reflect.set(value, name, CHANGED_TEXT)
  }
  Reflect.set(value, Array.isArray(value) ? `${value.length}` : CHANGED_TEXT, CHANGED_TEXT)
}

export const describeImmutability = ({ test, writeTest }: StoreSuite): void => {
  test('changing a result does not change later results', async store => {
    await store.write(...createMutations())
    const before = structuredClone(await store.read(REQUEST))
    for (const label of ['the second result', 'the third result']) {
      mutateDeep(await store.read(REQUEST))
      assertEqual(await store.read(REQUEST), before, label)
    }
  })

  writeTest('changing the input of a write does not change the stored data', async store => {
    const input = createMutations()
    await store.write(...input)
    const before = structuredClone(await store.read(REQUEST))
    mutateDeep(input)
    assertEqual(await store.read(REQUEST), before, 'the result')
  })

  writeTest('changing the fields of a written patch does not change the stored data', async store => {
    await store.write(...createMutations())
    const fields = { list: [{ n: 2 }] }
    await store.write({ op: 'patchNode', id: '1', fields })
    mutateDeep(fields)
    assertEqual((await store.readNode('1'))?.fields.list, [{ n: 2 }], 'the field')
  })

  writeTest('a result does not change when its node is written again', async store => {
    await store.write(...createMutations())
    const { nodes, ranges } = await store.read(REQUEST)
    const before = structuredClone({ nodes, ranges })
    await store.write(
      { op: 'patchNode', id: '2', fields: { name: 'Barbara', list: null } },
      putEdge('1', 'likes', '2', 9),
    )
    assertEqual({ nodes, ranges }, before, 'the earlier result')
  })
}
