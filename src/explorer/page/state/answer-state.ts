import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { FieldExpression } from '../../../fields/expression.ts'
import { type Fault, faultIn } from '../answer/fault.ts'
import type { AnswerContext } from '../answer/reading.ts'
import type { Place } from '../schema/lookup.ts'
import { isSameQuery, type Query, requestPath } from '../target/query.ts'
import { parsePath } from '../target/target.ts'
import type { ExpressionState, PlanFigures } from './expression-state.ts'
import { isNodePath, type KnownNodes } from './known-nodes.ts'
import type { RequestState } from './request-state.ts'
import type { Exchange, Transport } from './transport.ts'

/** A request, what came back, and what was known when it was sent. */
export type Answer = {
  readonly number: number
  readonly query: Query
  readonly exchange: Exchange
  readonly fault: Fault | undefined
  readonly expression: FieldExpression
  readonly place: Place
  readonly of: AnswerContext['of']
  readonly plan: PlanFigures | undefined
}

/** What has been answered. */
export type AnswerState = {
  /** The answer that is shown. */
  readonly shown: Signal<Answer | undefined>
  /** Those of this tab, oldest first. */
  readonly past: ReadonlySignal<readonly Answer[]>
  readonly busy: ReadonlySignal<boolean>
  /** What kept a request from being answered at all. */
  readonly failure: ReadonlySignal<string | undefined>
  /** Sends the request as it stands; undefined where another took its place or nothing came back. */
  readonly run: () => Promise<Answer | undefined>
}

const MOST_PAST = 50

/** Adds to what came back what has to be known to read it: whose it is, and what it took. */
const createReading =
  (request: RequestState, nodes: KnownNodes, { figures }: ExpressionState) =>
  async (query: Query, expression: FieldExpression, exchange: Exchange): Promise<Omit<Answer, 'number'>> => {
    const { id, edge } = parsePath(query.path)
    const node = exchange.status === 200 && isNodePath(id) ? await nodes.learn(id) : undefined
    return {
      query,
      exchange,
      fault: faultIn(exchange.body),
      expression,
      place: nodes.place.peek(),
      of: edge === undefined ? undefined : { id: node?.id ?? id, type: node?.type, edge },
      plan: isSameQuery(query, request.query.peek()) ? await figures() : undefined,
    }
  }

/** The answers of this tab, kept in memory. */
export const createAnswerState = (
  request: RequestState,
  nodes: KnownNodes,
  expression: ExpressionState,
  { ask }: Transport,
): AnswerState => {
  const shown = signal<Answer | undefined>(undefined)
  const past = signal<readonly Answer[]>([])
  const failure = signal<string | undefined>(undefined)
  const running = signal<AbortController | undefined>(undefined)
  const read = createReading(request, nodes, expression)

  const settle = (reading: Omit<Answer, 'number'>): Answer => {
    const answer = { ...reading, number: (past.peek().at(-1)?.number ?? 0) + 1 }
    batch(() => {
      failure.value = undefined
      shown.value = answer
      past.value = [...past.peek(), answer].slice(-MOST_PAST)
    })
    return answer
  }
  const run = async (): Promise<Answer | undefined> => {
    running.peek()?.abort()
    const leaving = new AbortController()
    running.value = leaving
    try {
      const [query, asked] = [request.query.peek(), expression.parsed.peek() ?? []]
      const exchange = await ask(requestPath(query), request.token.peek(), leaving.signal)
      const reading = await read(query, asked, exchange)
      return leaving.signal.aborted ? undefined : settle(reading)
    } catch (error) {
      if (!leaving.signal.aborted) failure.value = error instanceof Error ? error.message : String(error)
      return undefined
    } finally {
      if (running.peek() === leaving) running.value = undefined
    }
  }
  return { shown, past, busy: computed(() => running.value !== undefined), failure, run }
}
