import type { NodeId } from '../../base/ids.ts'
import type { EdgeEntry, EdgeKey, EdgePosition, EdgeRecord, NodeRecord } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { createPositionReader, type PositionReader } from './positions.ts'
import { FieldsLayout, type SelectedRow } from './record-layout.ts'

/** Reads the records whose columns begin at an index of a row. */
export interface RowReader {
  /** Reads the id of a record. Returns undefined if the row is not a node. */
  readId(row: SelectedRow, start: number): NodeId | undefined
  /** Reads a record, whose condition that holds may be known. Returns undefined if the row is not a node. */
  read(row: SelectedRow, start: number, heldCondition?: number): NodeRecord | undefined
}

/**
 * The layout of an entry of a list: the value of its order (NULL without one), the columns of its data, then those
 * of the record of its target. If one of these columns is the value of the order, it is selected once.
 */
export class EntryLayout {
  readonly list: ListMapping
  readonly #record: RowReader
  readonly #start: number
  /** The index of the value of the order. */
  readonly #order: number
  /** The index of the columns of the data. */
  readonly #dataStart: number
  /** The index of the columns of the record. */
  readonly #recordStart: number
  readonly #data: FieldsLayout | undefined
  readonly #readPosition: PositionReader

  /**
   * @param start The index of its first column in a row.
   * @param orderOffset The index, among the columns of the data and the record, of the one that is the value of the order.
   */
  constructor(list: ListMapping, record: RowReader, start = 0, orderOffset?: number) {
    this.list = list
    this.#record = record
    this.#data = list.data.length === 0 ? undefined : new FieldsLayout(list.data)
    this.#start = start
    this.#order = start + (orderOffset ?? 0)
    this.#dataStart = orderOffset === undefined ? start + 1 : start
    this.#recordStart = this.#dataStart + (this.#data?.width ?? 0)
    this.#readPosition = createPositionReader(list.order)
  }

  /** Reads an entry, as {@link RowReader} reads its node. Returns undefined if its target has no id. */
  read(row: SelectedRow, heldCondition?: number): EdgeEntry | undefined {
    const node = this.#record.read(row, this.#recordStart, heldCondition)
    if (node === undefined) return undefined
    const { time, key } = this.#readPosition(row[this.#order] ?? null)
    return { target: node.id, time, key, data: this.#data?.read(row, this.#dataStart), node }
  }

  /** Reads the position of a row that has the value of its order, then the key of its target. */
  readPosition(row: SelectedRow): EdgePosition | undefined {
    const target = this.#record.readId(row, this.#start + 1)
    return target && { ...this.#readPosition(row[this.#start] ?? null), target }
  }
}

/** Returns the record of the edge of an entry. */
export const toEdgeRecord = ({ source, name, target }: EdgeKey, { time, data }: EdgeEntry): EdgeRecord => ({
  source,
  name,
  target,
  time,
  ...(data !== undefined && { data }),
})

/** Returns the position of an entry. */
export const positionOf = ({ time, target, key }: EdgeEntry): EdgePosition =>
  key === undefined ? { time, target } : { time, target, key }
