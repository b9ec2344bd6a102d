import { fromFragment, toFragment } from '../target/query.ts'
import type { Answer, AnswerState } from './answer-state.ts'
import type { RequestState } from './request-state.ts'

/** The ways through the graph: each step is one of the browser's history. */
export type Journey = {
  /** Sends the request as it stands. */
  readonly run: () => Promise<void>
  /** Goes to a path or link: its own fields, or the default ones. */
  readonly open: (path: string) => Promise<void>
  /** Shows an answer again, with its request. */
  readonly show: (answer: Answer) => void
  /** The URL of the request as it stands, to be shared: without a token. */
  readonly sharedUrl: () => string
}

const numberOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'answer' in state && typeof state.answer === 'number'
    ? state.answer
    : undefined

/** Keeps URL and history in step with what is shown. `arrived` is called for every new answer. */
export const createJourney = (
  request: RequestState,
  answers: AnswerState,
  arrived: (answer: Answer) => Promise<void>,
): Journey => {
  const show = (answer: Answer): void => {
    request.set(answer.query)
    answers.show(answer)
  }
  const run = async (): Promise<void> => {
    request.take(request.path.peek())
    const answer = await answers.run()
    if (answer === undefined) return
    const fragment = toFragment(answer.query)
    const isNew = location.hash !== '' && fragment !== location.hash
    history[isNew ? 'pushState' : 'replaceState']({ answer: answer.number }, '', fragment)
    await arrived(answer)
  }
  const open = (path: string): Promise<void> => {
    request.set({ fields: '' })
    request.take(path)
    return run()
  }
  /** What was answered is shown as it was; what was not, as after a reload, waits to be run. */
  const arrive = (state: unknown): void => {
    // Numbers begin anew with the page: one from before a reload may be another's by now.
    const past = answers.past
      .peek()
      .find(({ number, query }) => number === numberOf(state) && toFragment(query) === location.hash)
    if (past !== undefined) show(past)
    else request.set(fromFragment(location.hash) ?? {})
  }
  addEventListener('popstate', ({ state }) => arrive(state))
  arrive(undefined)
  const sharedUrl = (): string => new URL(toFragment(request.query.peek()), location.href).href
  return { run, open, show, sharedUrl }
}
