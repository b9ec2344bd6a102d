import type { EdgeEntry, EdgePosition } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { EntryLayout } from '../rows/entry-layout.ts'
import type { RecordLayout } from '../rows/record-layout.ts'
import {
  type CellReader,
  createFieldReaders,
  createKeyReader,
  createOrderReader,
  readCells,
} from './cells.ts'
import type { CellRow } from './row-statements.ts'

/** Returns the readers of the columns of a record. */
export const createRecordReaders = ({ type, fields }: RecordLayout): readonly CellReader[] => [
  ...type.keys.map(createKeyReader),
  ...fields.flatMap(createFieldReaders),
]

/** Reads entries of a list from the cells of rows. */
export class EntryReader {
  readonly #layout: EntryLayout
  readonly #readers: readonly CellReader[]
  readonly #positionReaders: readonly CellReader[]

  constructor(list: ListMapping, record: RecordLayout) {
    const orderReader = createOrderReader(list.order)
    this.#layout = new EntryLayout(list, record)
    this.#readers = [orderReader, ...list.data.flatMap(createFieldReaders), ...createRecordReaders(record)]
    this.#positionReaders = [orderReader, ...list.target.keys.map(createKeyReader)]
  }

  /** The number of cells of a position. */
  get positionWidth(): number {
    return this.#positionReaders.length
  }

  /** Reads the entry whose cells begin at an index. */
  read(cells: CellRow, start: number): EdgeEntry | undefined {
    return this.#layout.read(readCells(this.#readers, cells, start))
  }

  /** Reads the position whose cells begin at an index: the value of its order, and the key of its target. */
  readPosition(cells: CellRow, start: number): EdgePosition | undefined {
    return this.#layout.readPosition(readCells(this.#positionReaders, cells, start))
  }
}
