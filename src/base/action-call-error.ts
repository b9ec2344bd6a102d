import { type ErrorEnvelope, GraphError, type OriginalResponse } from './errors.ts'

/** The properties of the error of an action that do not follow from its reason. */
export type ActionCallErrorOptions = {
  /** The HTTP status of a response with this error. Default: that of the error. */
  readonly status?: number | undefined
  /** Whether the same call may succeed later, without a risk that something is done twice. */
  readonly isTransient: boolean
  /** The result of an action that was carried out, if the read after it failed. */
  readonly originalResponse?: OriginalResponse | undefined
}

/** The error of a call after its action has begun. Other errors have the properties of their reasons. */
export class ActionCallError extends GraphError {
  override readonly status: number
  override readonly originalResponse: OriginalResponse | undefined
  readonly #isTransient: boolean

  constructor(error: GraphError, { status, isTransient, originalResponse }: ActionCallErrorOptions) {
    const { reason, message, data, cause, traceId } = error
    super(reason, message, data, { cause, traceId })
    this.status = status ?? error.status
    this.originalResponse = originalResponse
    this.#isTransient = isTransient
  }

  override toJSON(): ErrorEnvelope {
    const { is_transient, ...error } = super.toJSON().error
    const { originalResponse } = this
    return {
      error: {
        ...error,
        ...(this.#isTransient && { is_transient: true }),
        ...(originalResponse && { original_response: { id: originalResponse.id } }),
      },
    }
  }
}
