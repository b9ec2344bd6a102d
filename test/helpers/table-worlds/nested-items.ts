import fc, { type Arbitrary } from 'fast-check'
import type { TypeMapping } from '../../../src/tables/model/table-model.ts'
import type { ItemSpec } from '../naive-graph/query.ts'

const refsOf = ({ fields }: TypeMapping) => [...fields.values()].filter(field => field.kind === 'ref')

/** Items of some values of a type. */
const valueItems = ({ fields }: TypeMapping): Arbitrary<ItemSpec[]> => {
  const names = [...fields.values()].filter(({ kind }) => kind === 'value').map(({ name }) => name)
  return fc.subarray(['id', ...names], { minLength: 1, maxLength: 2 }).map(all => all.map(name => ({ name })))
}

/** Items of some refs of a type, which are read several times with fields of their own. */
const refItems = (type: TypeMapping): Arbitrary<ItemSpec[]> =>
  fc
    .tuple(
      ...refsOf(type).flatMap(({ name, target }) =>
        [undefined, `${name}_again`].map(as =>
          fc.option(
            fc.tuple(valueItems(target), fc.boolean()).map(
              ([fields, isAlone]): ItemSpec => ({
                name,
                as,
                fields: isAlone ? undefined : fields,
              }),
            ),
          ),
        ),
      ),
    )
    .map(items => items.filter(item => item !== null))

/** An edge of a type, by the name that a list has without parameters and orders. */
const edgeItem = (
  name: string,
  target: TypeMapping,
  limit: number | undefined,
  depth: number,
): Arbitrary<ItemSpec> =>
  fc
    .tuple(refItems(target), nestedItems(target, depth - 1), valueItems(target))
    .map(([refs, edges, values]) => ({ name, limit, fields: [...refs, ...edges, ...values] }))

/**
 * Creates items of lists in lists that have no arguments but a limit, so that all of them are read ahead, with the refs
 * of their entries.
 */
export const nestedItems = (type: TypeMapping, depth: number): Arbitrary<ItemSpec[]> => {
  const targets = new Map(
    [...type.lists.values()].map(({ name, target }) => [name.split(/__|#/)[0] ?? '', target]),
  )
  if (depth === 0 || targets.size === 0) return fc.constant([])
  const edges = [...targets].map(([name, target]) =>
    fc.constantFrom(undefined, 1, 3).chain(limit => edgeItem(name, target, limit, depth)),
  )
  return fc.uniqueArray(fc.oneof(...edges), { selector: ({ name }) => name, minLength: 1, maxLength: 2 })
}
