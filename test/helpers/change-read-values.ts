import { namedId, parseNamedId } from 'kithgraph'
import type {
  AheadStep,
  Condition,
  EdgePosition,
  EdgeRange,
  ReadAhead,
  StoreReadRequest,
} from '../../src/store/contract.ts'
import type { ListReference } from './list-reference.ts'

/** Returns another part of a key of a studio that its column can hold, different for each part, of no row. */
const changePart = (type: string, part: string): string => {
  if (type === 'comment') return `867${part.slice(3)}`
  return type === 'team' ? `8675309' or 1=1 -- ${part}` : `8675309${part}`
}

const changeId = (id: string): string => {
  const { prefix = '', key = [] } = parseNamedId(id) ?? {}
  return namedId(prefix, ...key.map(part => changePart(prefix, part)))
}

/** Changes numbers, ids, positions and constants of a read to others that columns can hold. */
class ValueChanger {
  readonly #reference: ListReference

  constructor(reference: ListReference) {
    this.#reference = reference
  }

  read(request: StoreReadRequest): StoreReadRequest {
    return {
      ...request,
      nodes: request.nodes.map(id => this.#id(id)),
      nodesAhead: request.nodesAhead?.map(ahead => this.#ahead(ahead)),
      ranges: request.ranges.map(range => this.#range(range)),
      checks: request.checks.map(check => ({
        ...check,
        source: this.#id(check.source),
        target: this.#id(check.target),
      })),
    }
  }

  /** An id that no row can have stays. */
  #id(id: string): string {
    return this.#reference.nodes.has(id) ? changeId(id) : id
  }

  #condition(condition: Condition): Condition {
    if (condition.kind === 'field') return condition
    if (condition.kind === 'node') return { ...condition, id: this.#id(condition.id) }
    const { from, to } = condition
    return {
      ...condition,
      ...(from !== undefined && { from: this.#id(from) }),
      ...(to !== undefined && { to: this.#id(to) }),
    }
  }

  /** Another position of a list: a second later, if its key is in microseconds, and at another node. */
  #position({ time, target, key }: EdgePosition): EdgePosition {
    const isTime = key !== undefined && /^\d{1,15}$/.test(key)
    return {
      target: this.#id(target),
      ...(isTime ? { time: time + 1000, key: `${Number(key) + 1_000_000}` } : { time, key }),
    }
  }

  #range(range: EdgeRange): EdgeRange {
    const { source, minTime, maxTime, limit, ahead, conditions, maxExamined } = range
    return {
      ...range,
      source: this.#id(source),
      from: range.from && this.#position(range.from),
      minTime: minTime === undefined ? undefined : minTime - 8675309,
      maxTime: maxTime === undefined ? undefined : maxTime + 8675309,
      limit: limit + 86753,
      ahead: this.#ahead(ahead),
      conditions: conditions?.map(condition => this.#condition(condition)),
      maxExamined: maxExamined === undefined ? undefined : maxExamined + 8675309,
    }
  }

  #step(step: AheadStep): AheadStep {
    const ahead = this.#ahead(step.ahead)
    const conditions = step.conditions?.map(condition => this.#condition(condition))
    return step.kind === 'ref'
      ? { ...step, ahead, conditions }
      : {
          ...step,
          ahead,
          conditions,
          limit: step.limit + 86753,
          pageLimit: step.pageLimit === undefined ? undefined : step.pageLimit + 86753,
        }
  }

  #ahead(ahead: ReadAhead | undefined): ReadAhead | undefined {
    return ahead && new Map([...ahead].map(([type, steps]) => [type, steps.map(step => this.#step(step))]))
  }
}

/** Returns a read of the same shape with other values: those that callers choose. */
export const changeReadValues = (reference: ListReference, request: StoreReadRequest): StoreReadRequest =>
  new ValueChanger(reference).read(request)
