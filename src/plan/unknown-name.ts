import type { GraphError } from '../base/faults.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Registry } from '../schema/registry.ts'
import { unknownField } from './unknown-field.ts'

/** The fault for a name that none of some types has, nor the edge that leads to them. */
export const unknownName = (
  registry: Registry,
  types: readonly string[],
  edge: EdgeType | undefined,
  name: string,
): GraphError => {
  const type = types.join('|')
  const known = types.flatMap(one => {
    const { fields = {}, edges = {} } = registry.type(one) ?? {}
    return [...Object.keys(fields), ...Object.keys(edges)]
  })
  known.push(...Object.keys(edge?.fields ?? {}))
  return unknownField({ kind: 'field or edge', name, where: `on node type ${type}`, type, known })
}
