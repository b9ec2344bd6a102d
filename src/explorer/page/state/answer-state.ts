import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { FieldExpression } from '../../../fields/expression.ts'
import { type Fault, faultIn } from '../answer/fault.ts'
import { isSameQuery, type Query, requestPath } from '../target/query.ts'
import type { ExpressionState, PlanFigures } from './expression-state.ts'
import type { RequestState } from './request-state.ts'
import type { Exchange, Transport } from './transport.ts'

/** A request, and what came back. */
export type Answer = {
  readonly number: number
  readonly query: Query
  readonly exchange: Exchange
  readonly fault: Fault | undefined
  readonly expression: FieldExpression
  /** What it took; told soon after the answer, where it is told at all. */
  readonly plan: ReadonlySignal<PlanFigures | undefined>
}

/** What has been answered. */
export type AnswerState = {
  /** The answer that is shown. */
  readonly shown: ReadonlySignal<Answer | undefined>
  /** Those of this tab, oldest first. */
  readonly past: ReadonlySignal<readonly Answer[]>
  readonly busy: ReadonlySignal<boolean>
  /** What kept a request from being answered at all. */
  readonly failure: ReadonlySignal<string | undefined>
  /** Sends the request as it stands; undefined where another took its place or nothing came back. */
  readonly run: () => Promise<Answer | undefined>
  /** Shows one of the past, and waits no longer for another. */
  readonly show: (answer: Answer) => void
}

const MOST_PAST = 50

/** Asks for the plan of a query beside its answer, for which nobody has to wait. */
const planOf = (
  query: Query,
  request: RequestState,
  { figures }: ExpressionState,
): Signal<PlanFigures | undefined> => {
  const plan = signal<PlanFigures | undefined>(undefined)
  if (!isSameQuery(query, request.query.peek())) return plan
  figures().then(
    told => {
      plan.value = told
    },
    () => undefined,
  )
  return plan
}

/** The answers of this tab, kept in memory. */
export const createAnswerState = (
  request: RequestState,
  expression: ExpressionState,
  { ask }: Transport,
): AnswerState => {
  const shown = signal<Answer | undefined>(undefined)
  const past = signal<readonly Answer[]>([])
  const failure = signal<string | undefined>(undefined)
  const running = signal<AbortController | undefined>(undefined)
  /** Ends what is under way: nothing may come of it any more. */
  const leave = (): void => {
    running.peek()?.abort()
    running.value = undefined
  }
  effect(() => {
    void request.token.value
    leave()
  })
  const show = (answer: Answer): void =>
    batch(() => {
      leave()
      failure.value = undefined
      shown.value = answer
    })
  const settle = (query: Query, asked: FieldExpression, exchange: Exchange): Answer => {
    const number = (past.peek().at(-1)?.number ?? 0) + 1
    const plan = planOf(query, request, expression)
    const answer = { number, query, exchange, fault: faultIn(exchange.body), expression: asked, plan }
    show(answer)
    past.value = [...past.peek(), answer].slice(-MOST_PAST)
    return answer
  }
  const run = async (): Promise<Answer | undefined> => {
    leave()
    const leaving = new AbortController()
    running.value = leaving
    const [query, asked] = [request.query.peek(), expression.parsed.peek() ?? []]
    try {
      const exchange = await ask(requestPath(query), request.token.peek(), leaving.signal)
      return leaving.signal.aborted ? undefined : settle(query, asked, exchange)
    } catch (error) {
      if (leaving.signal.aborted) return undefined
      leave()
      failure.value = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  return { shown, past, busy: computed(() => running.value !== undefined), failure, run, show }
}
