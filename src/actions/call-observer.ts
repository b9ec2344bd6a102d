import { ignoreRejection } from '../base/awaitable.ts'
import { toGraphError } from '../base/errors.ts'
import { bypassesPolicies } from '../base/session.ts'
import type { ActionEvent, GraphEvent } from '../core/events.ts'
import type { Query } from '../execute/query.ts'
import type { ActionInput } from './prepare-call.ts'

/** Reports one event for the call of an action, in place of the event of its check. */
export class CallObserver {
  readonly #onEvent: (event: GraphEvent) => void
  readonly #startedAt = performance.now()

  constructor(onEvent: (event: GraphEvent) => void) {
    this.#onEvent = onEvent
  }

  /** Receives the events of the check, and passes on all but the last. */
  readonly onCheckEvent = (event: GraphEvent): void => {
    if (event.kind !== 'query') this.#onEvent(event)
  }

  /** Reports the end of the call, with its error or without one. */
  report({ input, context, session = context?.session }: Query<ActionInput>, error: unknown): void {
    const graphError = error === undefined ? undefined : toGraphError(error)
    const event: ActionEvent = {
      kind: 'action',
      type: input.action?.type,
      action: input.action?.name,
      durationMs: performance.now() - this.#startedAt,
      denials: context?.policyEvaluator.denials ?? [],
      bypassedPolicies: session !== undefined && bypassesPolicies(session),
      reason: graphError?.reason,
      traceId: graphError?.traceId,
    }
    // An error of the listener must not fail the call.
    try {
      ignoreRejection(this.#onEvent(event))
    } catch {}
  }
}
