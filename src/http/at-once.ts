import type { Awaitable } from '../base/awaitable.ts'
import type { WireRequest, WireResponse } from './wire.ts'

/** Answers a request: promised only where something is waited for. It neither rejects nor throws. */
export type AnswerAtOnce = (request: WireRequest) => Awaitable<WireResponse>

/** Where the `answer` of a handler keeps what it promises, for listeners that need no promise. */
export const AT_ONCE = Symbol('kithgraph.answer')

/** What a handler answers by, without a promise where there is nothing to wait for; of a handler of others, its own `answer`. */
export const atOnce = ({ answer }: { readonly answer: AnswerAtOnce }): AnswerAtOnce => {
  const known: unknown = Reflect.get(answer, AT_ONCE)
  // Only `createHandler` has the symbol.
  return typeof known === 'function' ? (known as AnswerAtOnce) : answer
}
