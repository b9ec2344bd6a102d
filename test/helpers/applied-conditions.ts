import type {
  AheadStep,
  Condition,
  EdgeRange,
  ReadAhead,
  StoreReadRequest,
} from '../../src/store/contract.ts'
import type { ListMapping, TableModel, TypeMapping } from '../../src/tables/model/table-model.ts'
import { resolveConditions } from '../../src/tables/rows/resolved-conditions.ts'

/** Leaves out the conditions of lists that a store over tables leaves to the engine, because SQL cannot evaluate them. */
class AppliedConditions {
  readonly #model: TableModel

  constructor(model: TableModel) {
    this.#model = model
  }

  of(request: StoreReadRequest): StoreReadRequest {
    return {
      ...request,
      nodesAhead: request.nodesAhead?.map(ahead => this.#ahead(ahead)),
      ranges: request.ranges.map(range => this.#range(range)),
    }
  }

  #conditions(
    list: ListMapping | undefined,
    conditions: readonly Condition[] | undefined,
  ): readonly Condition[] | undefined {
    if (list === undefined || conditions === undefined) return undefined
    return resolveConditions(this.#model, list.target, conditions) && conditions
  }

  #range(range: EdgeRange): EdgeRange {
    const { source, name, ahead, conditions } = range
    const type = this.#model.typesByPrefix.get(source.slice(0, source.indexOf('-')))
    const list = source === 'root' ? this.#model.collections.get(name) : type?.lists.get(name)
    return { ...range, ahead: this.#ahead(ahead), conditions: this.#conditions(list, conditions) }
  }

  #step(type: TypeMapping | undefined, step: AheadStep): AheadStep {
    const ahead = this.#ahead(step.ahead)
    if (step.kind === 'ref') return { ...step, ahead }
    return { ...step, ahead, conditions: this.#conditions(type?.lists.get(step.name), step.conditions) }
  }

  #ahead(ahead: ReadAhead | undefined): ReadAhead | undefined {
    return (
      ahead &&
      new Map(
        [...ahead].map(([name, steps]) => [
          name,
          steps.map(step => this.#step(this.#model.types.get(name), step)),
        ]),
      )
    )
  }
}

/** Returns a read without the conditions of lists that SQL cannot evaluate. */
export const withAppliedConditions = (model: TableModel, request: StoreReadRequest): StoreReadRequest =>
  new AppliedConditions(model).of(request)
