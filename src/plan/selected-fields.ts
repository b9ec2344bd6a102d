import { ReadNames } from '../schema/read-names.ts'
import type { WantedFields } from '../store/contract.ts'
import { FieldsByType } from '../store/wanted-fields.ts'
import type { PlanStep, TypePlan } from './plan.ts'

/** Adds the fields of the record that a step reads. */
const addStep = (reads: ReadNames, step: PlanStep): void => {
  switch (step.kind) {
    case 'value':
      if (!step.isEdgeField) reads.add(step.name)
      break
    case 'ref':
      reads.add(step.name)
      break
    case 'computed':
      reads.addReads(step.reads)
      break
    case 'edge':
      if (step.edge.computation !== undefined) reads.addReads(step.edge.computation.reads)
      break
    default:
  }
}

const findNames = ({ policy, stepPolicies, steps }: TypePlan): ReadonlySet<string> | undefined => {
  const reads = new ReadNames()
  reads.addPolicy(policy)
  for (const stepPolicy of stepPolicies) reads.addPolicy(stepPolicy)
  for (const step of steps) addStep(reads, step)
  return reads.names
}

/**
 * The fields that the records of a selection need. They are found before the first read, because some plans are
 * never read.
 */
export class SelectedFields {
  readonly #plans: ReadonlyMap<string, TypePlan>
  #fields: WantedFields | undefined

  constructor(plans: ReadonlyMap<string, TypePlan>) {
    this.#plans = plans
  }

  get fields(): WantedFields {
    this.#fields ??= this.#findFields()
    return this.#fields
  }

  #findFields(): WantedFields {
    const fields = new FieldsByType()
    for (const plan of this.#plans.values()) {
      const names = findNames(plan)
      if (names?.size !== 0) fields.set(plan.type, names)
    }
    return fields
  }
}
