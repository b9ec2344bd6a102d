import type { Graph } from 'kithgraph'
import {
  createPut,
  deletionRegister,
  friendsRegister,
  type HotBatch,
  noteRegister,
  patchRegister,
} from './hot-batches.ts'
import { isExplained, type Operation, RegisterHistory, readClock } from './register-history.ts'
import type { schema } from './schema.ts'
import type { State } from './state.ts'

/** A batch that is being written. */
export type HotCall = {
  succeed(end?: number): void
  /** Removes the writes of a rejected batch. Returns whether one of its nodes may have been absent. */
  reject(): boolean
}

const readFields = (state: State, id: string): ReadonlyMap<string, string> =>
  new Map<string, string>(JSON.parse(state.get(id) ?? '[]'))

/** The batches of the hot workload, by what they write. */
export class HotHistory {
  readonly #history = new RegisterHistory()

  begin({ writes, requiredIds }: HotBatch, start = readClock()): HotCall {
    const operations = writes.map(
      ([register, value]) => [register, this.#history.begin(register, value, start)] as const,
    )
    return {
      succeed: (end = readClock()) => {
        for (const [, operation] of operations) operation.end = end
      },
      reject: () => {
        for (const [register, operation] of operations) this.#history.withdraw(register, operation)
        const end = readClock()
        return requiredIds.some(id => this.#mayBeAbsent(id, start, end))
      },
    }
  }

  /** Forgets all batches, and begins with a state. */
  restart(ids: readonly string[], state: State): void {
    const values = new Map<string, string>()
    for (const id of ids)
      for (const [name, value] of readFields(state, id)) values.set(`${name} ${id}`, value)
    for (const [key, value] of state) {
      const [source = '', name, target = ''] = key.split(' ')
      if (name === 'friends') values.set(friendsRegister(source, target), value)
    }
    this.#history.restart(values)
  }

  /** Returns the values of a final state that no order of the batches explains, in words. */
  findUnexplained(ids: readonly string[], state: State): readonly string[] {
    const unexplained: string[] = []
    const check = (register: string, operations: readonly Operation[], value: string | undefined): void => {
      if (!isExplained(operations, value))
        unexplained.push(`no order of the batches explains ${register} = ${value}`)
    }
    for (const id of ids) {
      const fields = readFields(state, id)
      for (const [register, name] of [
        [noteRegister(id), 'note'],
        [patchRegister(id), 'patch'],
      ] as const)
        check(register, this.#history.operationsOf(register), fields.get(name))
      for (const other of ids) {
        const register = friendsRegister(id, other)
        if (!register.startsWith(`${id} `) || id === other) continue
        check(register, this.#edgeOperations(id, other), state.get(`${id} friends ${other}`))
      }
    }
    return unexplained
  }

  /**
   * Returns the writes of an edge, with the deletions of its ends. A batch that deletes an end and puts the
   * edge puts it last.
   */
  #edgeOperations(first: string, second: string): readonly Operation[] {
    const operations = this.#history.operationsOf(friendsRegister(first, second))
    const starts = new Set(operations.map(({ start }) => start))
    const deletions = [first, second].flatMap(id => this.#history.operationsOf(deletionRegister(id)))
    return [...operations, ...deletions.filter(({ start }) => !starts.has(start))]
  }

  /**
   * Whether a node may have been absent at some moment of a call: unless a put ended before the call, and
   * every deletion without a put ended before that put began, or began after the call.
   */
  #mayBeAbsent(id: string, start: number, end: number): boolean {
    const operations = this.#history.operationsOf(noteRegister(id))
    const deletions = operations.filter(({ value }) => value === undefined)
    return !operations.some(
      put =>
        put.value !== undefined &&
        put.end <= start &&
        deletions.every(deletion => deletion.end < put.start || deletion.start > end),
    )
  }
}

/** Puts people, and records them. */
export const putInitialNodes = async (
  graph: Graph<typeof schema>,
  ids: readonly string[],
  history: HotHistory,
): Promise<void> => {
  const batches = ids.map(id => createPut(id, '0'))
  await graph.write(batches.flatMap(({ mutations }) => mutations))
  for (const batch of batches) history.begin(batch).succeed()
}
