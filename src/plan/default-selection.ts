import type { RefField } from '../schema/field.ts'
import { createFieldStep, type Subselections } from './field-step.ts'
import type { ParentTypes, SelectionParent } from './parent-types.ts'
import { createPlainItem } from './plain-item.ts'
import type { Selection } from './plan.ts'
import { createSelection, TypePlanBuilder } from './type-plan.ts'

const ignoreItem = (): void => undefined

/** Resolves the targets of refs. */
export type RefTargets = { targetOf(ref: RefField): SelectionParent }

/**
 * Compiles the selection of some types without an expression: the fields that `defaultsOf` returns for each
 * type.
 */
export const compileDefaultSelection = (
  parentTypes: ParentTypes,
  defaultsOf: (type: string) => readonly string[],
  targets: RefTargets,
): Selection => {
  const getTargetSelection: Subselections['getTargetSelection'] = ref =>
    targets.targetOf(ref).getDefaultSelection()
  const subselections: Subselections = { getTargetSelection, onFound: ignoreItem, onMissing: ignoreItem }
  const plans = parentTypes.map(parentType => {
    const builder = new TypePlanBuilder(parentType)
    for (const name of defaultsOf(parentType.type)) {
      const declaration = parentType.declarations.get(name)
      if (declaration?.kind === 'id') builder.add(declaration.step, declaration)
      if (declaration?.kind === 'field')
        builder.add(createFieldStep(createPlainItem(name), declaration, builder, subselections), declaration)
    }
    return builder.build()
  })
  return createSelection(plans)
}
