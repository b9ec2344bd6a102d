import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import { createWindow, type EdgeModifiers } from './edge-modifiers.ts'
import { leavesOutEntries } from './edge-parameters.ts'
import type { EdgePlan, Selection } from './plan.ts'
import type { SlotParameterTest } from './slots.ts'
import type { EdgeList, GivenParameters } from './window.ts'

/** The parts of an item that selects one edge. */
type EdgePlanInput = {
  readonly item: FieldItem
  readonly edgeList: EdgeList
  readonly modifiers: EdgeModifiers
  readonly parameters: GivenParameters
  readonly selection: Selection
  /** Returns the fields for the links of the pages. */
  readonly getLinkFields: () => FieldExpression | undefined
  readonly isSlotParameter: SlotParameterTest
}

/**
 * Creates the plan of an edge.
 *
 * @throws GraphError `invalid_parameter` for a modifier that a computed edge does not support.
 */
export const createEdgePlan = (edge: EdgeType, input: EdgePlanInput): EdgePlan => {
  const { item, edgeList, modifiers, parameters, selection, getLinkFields, isSlotParameter } = input
  const { name, list, order, countKind, filter, computation } = edgeList
  const { appScoped } = selection
  // A spread would keep its members outside of the object, in more memory.
  return {
    name,
    list,
    order,
    countKind,
    filter,
    computation,
    limit: modifiers.limit,
    summary: modifiers.summary,
    selection,
    isFiltered: selection.hasPolicy || leavesOutEntries(edge, parameters.given),
    window: createWindow(item, modifiers, {
      edgeList,
      parameters,
      appScoped,
      getLinkFields,
      isSlotParameter,
    }),
  }
}
