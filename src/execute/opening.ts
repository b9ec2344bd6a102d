import type { StoreReadRequest, StoreReadResult } from '../store/contract.ts'

/** The first step of a call. */
export type Opening<TPrepared> = {
  /**
   * Validates what depends only on the options of the call, and returns the read of its roots. `me` can be
   * resolved by then. Errors of the token take precedence over the errors that it throws.
   */
  prepare(): PreparedRead<TPrepared>
  /** Whether the roots depend on the session, so that the token has to be read first. */
  readonly needsSession: boolean
}

/** The validated options of a call, with the read of its roots. */
export type PreparedRead<TPrepared> = { readonly prepared: TPrepared; readonly request: StoreReadRequest }

/** The validated options of a call, with the result of that read. */
export type Opened<TPrepared> = { readonly prepared: TPrepared; readonly result: StoreReadResult }

/** A value, or the error that was thrown instead. */
export type Outcome<TValue> = { readonly value: TValue } | { readonly error: unknown }

/** Runs a function and keeps its error, so that it can be thrown later. */
export const toOutcome = <TValue>(run: () => TValue): Outcome<TValue> => {
  try {
    return { value: run() }
  } catch (error) {
    return { error }
  }
}

/** Returns the value of an outcome. @throws its error. */
export const unwrapOutcome = <TValue>(outcome: Outcome<TValue>): TValue => {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
