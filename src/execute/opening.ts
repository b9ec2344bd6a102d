import type { Wave, WaveAnswer } from '../store/contract.ts'

/** What a query asks first. */
export type Opening<TPrepared> = {
  /**
   * Checks what the text of the call decides, and says what to read of the roots; `me` can be resolved by then. What it
   * throws comes after the faults of the token.
   */
  ask(): Asking<TPrepared>
  /** Whether the roots depend on the session, so that the token has to be read first. */
  readonly waits: boolean
}

/** What the text of a call came to, with what to read of its roots. */
export type Asking<TPrepared> = { readonly prepared: TPrepared; readonly wave: Wave }

/** The same with what was read. */
export type Opened<TPrepared> = { readonly prepared: TPrepared; readonly answer: WaveAnswer }

/** What something came to. */
export type Outcome<TValue> = { readonly value: TValue } | { readonly fault: unknown }

/** What something comes to, its fault kept for when it is due. */
export const outcomeOf = <TValue>(make: () => TValue): Outcome<TValue> => {
  try {
    return { value: make() }
  } catch (fault) {
    return { fault }
  }
}

/** The value of an outcome. @throws its fault. */
export const resultOf = <TValue>(outcome: Outcome<TValue>): TValue => {
  if ('fault' in outcome) throw outcome.fault
  return outcome.value
}
