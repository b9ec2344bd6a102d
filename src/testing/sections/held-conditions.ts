import type { JsonValue } from '../../base/json.ts'
import type { Condition, NodeRecord } from '../../store/contract.ts'
import { checkOf, holds } from '../apply-conditions.ts'
import { assertEqual } from '../assertions.ts'
import { toDigitsId } from '../renamed-ids.ts'
import type { StoreProbe } from '../store-probe.ts'

/** Returns a node whose refs have the ids that the conditions have. The probe does not rename the values of refs. */
const renameRefs = ({ fields, ...node }: NodeRecord): NodeRecord => {
  const renamed = Object.entries(fields).map(([name, value]): [string, JsonValue] => [
    name,
    typeof value === 'string' ? toDigitsId(value) : value,
  ])
  return { ...node, fields: Object.fromEntries(renamed) }
}

const findHeldCondition = async (
  store: StoreProbe,
  conditions: readonly Condition[],
  node: NodeRecord,
): Promise<number> => {
  for (const [index, condition] of conditions.entries()) {
    const check = checkOf(condition, node)
    const found = check && (await store.readEdge(check.source, check.name, check.target))
    if (holds(condition, node, found)) return index
  }
  return -1
}

/** Asserts that the condition that a store reports for a node, if any, is the first one that holds. */
export const assertHeldCondition = async (
  store: StoreProbe,
  conditions: readonly Condition[] | undefined,
  node: NodeRecord,
): Promise<void> => {
  const { heldCondition, id } = node
  if (conditions === undefined || heldCondition === undefined) return
  const expected = await findHeldCondition(store, conditions, renameRefs(node))
  assertEqual(heldCondition, expected, `the first condition that holds for ${id}`)
}
