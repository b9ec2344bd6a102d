import type { JsonObject } from '../../base/json.ts'
import type { Epochs } from './epochs.ts'
import { Numbers } from './numbers.ts'
import { Rows } from './rows.ts'
import { SparseSlots } from './sparse-slots.ts'

// The first four columns stand in the order in which `add` writes them.
const TIME_HIGH = 0
const TIME_LOW = 1
const TIME_UNIT = 2 ** 32
const WIDTH = 6

/** The column with the number of the node that an edge leads to. */
export const TARGET = 2
/** The column with the number of the list that an edge is in: its source and name. */
export const LIST = 3
/** The columns with the next edge of the same short list, going out and coming in. */
export const NEXT_OUTGOING = 4
export const NEXT_INCOMING = 5

/**
 * All edges, under dense numbers: a row of 24 bytes each, and its data only where it has some. A time needs 54 bits
 * with its sign, hence two cells.
 */
export class EdgeTable {
  readonly #numbers = new Numbers()
  readonly #rows: Rows
  readonly #data: SparseSlots<JsonObject>

  constructor(epochs: Epochs, rows = new Rows(epochs, WIDTH), data = new SparseSlots<JsonObject>(epochs)) {
    this.#rows = rows
    this.#data = data
  }

  add(list: number, target: number, time: number): number {
    const edge = this.#numbers.take()
    const high = Math.floor(time / TIME_UNIT)
    this.#rows.begin(edge, high, time - high * TIME_UNIT, target, list)
    return edge
  }

  remove(edge: number): void {
    this.#rows.clear(edge)
    this.#data.set(edge, undefined)
    this.#numbers.release(edge)
  }

  get(edge: number, column: number): number {
    return this.#rows.get(edge, column)
  }

  set(edge: number, column: number, value: number): void {
    this.#rows.set(edge, column, value)
  }

  time(edge: number): number {
    return (this.#rows.get(edge, TIME_HIGH) | 0) * TIME_UNIT + this.#rows.get(edge, TIME_LOW)
  }

  setTime(edge: number, time: number): void {
    const high = Math.floor(time / TIME_UNIT)
    this.#rows.set(edge, TIME_HIGH, high)
    this.#rows.set(edge, TIME_LOW, time - high * TIME_UNIT)
  }

  data(edge: number): JsonObject | undefined {
    return this.#data.get(edge)
  }

  setData(edge: number, data: JsonObject | undefined): void {
    this.#data.set(edge, data)
  }

  fork(epochs: Epochs): EdgeTable {
    return new EdgeTable(epochs, this.#rows.fork(epochs), this.#data.fork(epochs))
  }
}
