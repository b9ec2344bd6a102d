/** The time of this machine in nanoseconds, the same for all of its processes. It never goes back. */
export const readClock = (): number => Number(process.hrtime.bigint())

/** A write to a register: a text, or undefined to remove it. It may take effect between `start` and `end`. */
export type Operation = {
  readonly value: string | undefined
  readonly start: number
  /** Infinity if the write has not succeeded: it may take effect later, or never. */
  end: number
}

/**
 * The writes to independent registers by concurrent writers. A final value is valid if some order of the
 * writes explains it: an order in which a write that ended before another began comes first.
 */
export class RegisterHistory {
  readonly #operations = new Map<string, Operation[]>()

  /** Records a write that begins now or at a given time. */
  begin(register: string, value: string | undefined, start = readClock()): Operation {
    const operation: Operation = { value, start, end: Number.POSITIVE_INFINITY }
    const operations = this.#operations.get(register)
    if (operations === undefined) this.#operations.set(register, [operation])
    else operations.push(operation)
    return operation
  }

  /** Records that a write has written nothing. */
  withdraw(register: string, operation: Operation): void {
    const operations = this.#operations.get(register) ?? []
    this.#operations.set(
      register,
      operations.filter(other => other !== operation),
    )
  }

  operationsOf(register: string): readonly Operation[] {
    return this.#operations.get(register) ?? []
  }

  /** Forgets all writes, and begins with known values. */
  restart(values: ReadonlyMap<string, string>): void {
    this.#operations.clear()
    const start = readClock()
    for (const [register, value] of values) this.begin(register, value, start).end = start
  }
}

/** Returns the operations that may be the last one in some order. */
export const findLastOperations = (operations: readonly Operation[]): readonly Operation[] => {
  const latestStart = operations.reduce(
    (latest, { start, end }) => (end === Number.POSITIVE_INFINITY ? latest : Math.max(latest, start)),
    Number.NEGATIVE_INFINITY,
  )
  return operations.filter(({ end }) => end >= latestStart)
}

/** Whether some order of the operations explains a final value. No operations explain only undefined. */
export const isExplained = (operations: readonly Operation[], value: string | undefined): boolean => {
  const last = findLastOperations(operations)
  const wasNeverWritten = operations.every(({ end }) => end === Number.POSITIVE_INFINITY)
  return (wasNeverWritten && value === undefined) || last.some(operation => operation.value === value)
}
