import type { JsonObject } from '../../base/json.ts'
import { type Epochs, NumberAllocator, PagedMap, Uint32Table } from './paged-tables.ts'

// The first four columns are in the order in which `add` writes them.
const TIME_HIGH_COLUMN = 0
const TIME_LOW_COLUMN = 1
const TIME_HIGH_UNIT = 2 ** 32
const COLUMN_COUNT = 6

/** The column with the number of the edge's target node. */
export const TARGET_COLUMN = 2
/** The column with the number of the edge's list, which determines its source and name. */
export const LIST_COLUMN = 3
/** The columns with the number of the next edge in the outgoing and in the incoming chain. */
export const NEXT_OUTGOING_COLUMN = 4
export const NEXT_INCOMING_COLUMN = 5

/**
 * All edges by dense number. Each edge has a row of 24 bytes. The data of edges, if any, is in a separate
 * map. A time needs 54 bits with its sign, so it takes two cells.
 */
export class EdgeTable {
  readonly #allocator = new NumberAllocator()
  readonly #rows: Uint32Table
  readonly #data: PagedMap<JsonObject>

  constructor(
    epochs: Epochs,
    rows = new Uint32Table(epochs, COLUMN_COUNT),
    data = new PagedMap<JsonObject>(epochs),
  ) {
    this.#rows = rows
    this.#data = data
  }

  add(list: number, target: number, time: number): number {
    const edge = this.#allocator.allocate()
    const timeHigh = Math.floor(time / TIME_HIGH_UNIT)
    this.#rows.setFirstCells(edge, timeHigh, time - timeHigh * TIME_HIGH_UNIT, target, list)
    return edge
  }

  remove(edge: number): void {
    this.#rows.clearRow(edge)
    this.#data.set(edge, undefined)
    this.#allocator.release(edge)
  }

  getCell(edge: number, column: number): number {
    return this.#rows.get(edge, column)
  }

  setCell(edge: number, column: number, value: number): void {
    this.#rows.set(edge, column, value)
  }

  timeOf(edge: number): number {
    return (
      (this.#rows.get(edge, TIME_HIGH_COLUMN) | 0) * TIME_HIGH_UNIT + this.#rows.get(edge, TIME_LOW_COLUMN)
    )
  }

  setTime(edge: number, time: number): void {
    const timeHigh = Math.floor(time / TIME_HIGH_UNIT)
    this.#rows.set(edge, TIME_HIGH_COLUMN, timeHigh)
    this.#rows.set(edge, TIME_LOW_COLUMN, time - timeHigh * TIME_HIGH_UNIT)
  }

  dataOf(edge: number): JsonObject | undefined {
    return this.#data.get(edge)
  }

  setData(edge: number, data: JsonObject | undefined): void {
    this.#data.set(edge, data)
  }

  /** Returns the table in its current state, for a new snapshot. */
  fork(epochs: Epochs): EdgeTable {
    return new EdgeTable(epochs, this.#rows.fork(epochs), this.#data.fork(epochs))
  }
}

/**
 * Assigns numbers to edge names, starting at 1. There are few names, and none is ever removed, so snapshots
 * share the table.
 */
export class EdgeNameTable {
  readonly #numbers = new Map<string, number>()
  readonly #names = ['']

  /** Returns the number of a name, or 0 if no edge was ever written with the name. */
  findNumber(name: string): number {
    return this.#numbers.get(name) ?? 0
  }

  /** Returns the number of a name, and assigns one if the name is new. */
  intern(name: string): number {
    const existingNumber = this.findNumber(name)
    if (existingNumber !== 0) return existingNumber
    this.#numbers.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }

  nameOf(number: number): string {
    return this.#names[number] ?? ''
  }
}
