import type { BoundedMap } from '../../base/bounded-map.ts'
import type { TableModel } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { RecordPlans } from './ahead-plans.ts'
import type { ListPlan } from './list-plan.ts'
import type { ObjectNumbers } from './object-numbers.ts'

/** The plans and names that all reads of a model share. */
export type PartContext = {
  readonly model: TableModel
  readonly sessionFilters: SessionFilters
  readonly records: RecordPlans
  readonly numbers: ObjectNumbers
  /** The plans of ranges, by the keys of their parts. */
  readonly plans: BoundedMap<ListPlan>
}
