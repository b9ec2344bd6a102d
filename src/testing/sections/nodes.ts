import type { JsonValue } from '../../base/json.ts'
import { assertEqual } from '../assertions.ts'
import { createNode, putNode } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

/** Every kind of JSON value. Null occurs only inside a value, because no field is null. */
export const FIELDS = {
  empty: '',
  text: 'Ada',
  zero: 0,
  negative: -1.5,
  large: 2 ** 53 - 1,
  huge: 1e21,
  tiny: 5e-324,
  exact: 0.1,
  yes: true,
  no: false,
  list: [1, 'two', null, [], {}],
  object: { a: { b: { c: [null] } }, empty: {} },
}

/** So many fields that a limit of parameters, columns or arguments that is too low is exceeded. */
const MANY_FIELD_NAMES = Array.from({ length: 200 }, (_, index) => `field_${index}`)
const createFields = (value: JsonValue) => Object.fromEntries(MANY_FIELD_NAMES.map(name => [name, value]))

export const describeNodes = ({ test, writeTest }: StoreSuite): void => {
  test('a node is returned as it was put, with every kind of value', async store => {
    await store.write(putNode('1', FIELDS))
    assertEqual(await store.readNode('1'), createNode('1', FIELDS), 'the node')
  })

  writeTest('putNode replaces all fields', async store => {
    await store.write(putNode('1', { name: 'Ada', about: 'first' }))
    await store.write(putNode('1', { name: 'Grace' }))
    assertEqual(await store.readNode('1'), createNode('1', { name: 'Grace' }), 'the node put again')
  })

  writeTest('patchNode merges fields, one level deep, and null removes a field', async store => {
    await store.write(putNode('1', { name: 'Ada', about: 'first', link: { url: 'a', title: 'b' } }))
    await store.write({
      op: 'patchNode',
      id: '1',
      fields: { about: null, missing: null, link: { url: 'c' }, age: 36 },
    })
    assertEqual(
      await store.readNode('1'),
      createNode('1', { name: 'Ada', link: { url: 'c' }, age: 36 }),
      'the patched node',
    )
  })

  writeTest('a patch keeps null inside a value', async store => {
    await store.write(putNode('1'), {
      op: 'patchNode',
      id: '1',
      fields: { object: { a: null }, list: [null] },
    })
    assertEqual(
      await store.readNode('1'),
      createNode('1', { object: { a: null }, list: [null] }),
      'the patched node',
    )
  })

  writeTest(`a patch sets, changes and removes ${MANY_FIELD_NAMES.length} fields`, async store => {
    await store.write(putNode('1', { stays: true }))
    for (const value of ['first', 'second']) {
      await store.write({ op: 'patchNode', id: '1', fields: createFields(value) })
      assertEqual(
        await store.readNode('1'),
        createNode('1', { stays: true, ...createFields(value) }),
        'the patched node',
      )
    }
    await store.write({ op: 'patchNode', id: '1', fields: createFields(null) })
    assertEqual(
      await store.readNode('1'),
      createNode('1', { stays: true }),
      'the node without the removed fields',
    )
    await store.write(putNode('1', createFields(1)))
    assertEqual(
      await store.readNode('1'),
      createNode('1', createFields(1)),
      'the node that was put with all fields',
    )
  })

  test('nodes are returned by position, and missing nodes as undefined', async store => {
    await store.write(putNode('1'), putNode('10', { name: 'ten' }, 'other'))
    const { nodes } = await store.read({ nodes: ['10', '2', '1'] })
    assertEqual(nodes, [createNode('10', { name: 'ten' }, 'other'), undefined, createNode('1')], 'the nodes')
  })

  test('ids that JavaScript numbers would round to one value are distinct', async store => {
    const ids = ['9007199254740992', '9007199254740993', '9223372036854775806', '9223372036854775807']
    await store.write(...ids.map(id => putNode(id, { own: id })))
    const { nodes } = await store.read({ nodes: ids })
    assertEqual(
      nodes,
      ids.map(id => createNode(id, { own: id })),
      'the nodes with large ids',
    )
  })
}
