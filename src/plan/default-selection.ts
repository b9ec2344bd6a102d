import type { RefField } from '../schema/field.ts'
import { type Below, fieldStep } from './field-step.ts'
import type { Area, Place } from './place.ts'
import { plainItem } from './plain-item.ts'
import type { Selection } from './plan.ts'
import { selectionOf, TypePlanBuilder } from './type-plan.ts'

const nothing = (): void => undefined

/** Tells where refs lead. */
export type Refs = { behind(ref: RefField): Place }

/** What is answered of an area where nothing is asked for: the fields that `namesOf` tells of each type. */
export const defaultSelection = (
  area: Area,
  namesOf: (type: string) => readonly string[],
  refs: Refs,
): Selection => {
  const selectionBehind: Below['selectionBehind'] = ref => refs.behind(ref).defaults()
  const below: Below = { selectionBehind, found: nothing, missed: nothing }
  const plans = area.map(place => {
    const builder = new TypePlanBuilder(place)
    for (const name of namesOf(place.type)) {
      const declared = place.names.get(name)
      if (declared?.kind === 'id') builder.add(declared.step, declared)
      if (declared?.kind === 'field')
        builder.add(fieldStep(plainItem(name), declared, builder, below), declared)
    }
    return builder.build()
  })
  return selectionOf(plans)
}
