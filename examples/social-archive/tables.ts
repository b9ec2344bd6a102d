import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readTar } from './tar.ts'

/** Some rows of a table. Each row is a list of cells. */
export type TablePart = {
  readonly table: string
  readonly rows: readonly (readonly string[])[]
  /** The number of bytes of the archive that have been read so far. */
  readonly bytesRead: number
}

/** Matches the name of a file. `ldbc/Person_likes_Post_1.csv` is a part of the table `Person_likes_Post`. */
const TABLE = /([^/]+?)(?:_\d+)?\.csv$/
const HEADER = /^[^|]*:(?:START_)?ID\(/

const rowsOf = (lines: readonly string[]): string[][] =>
  lines.filter(line => line !== '' && !HEADER.test(line)).map(line => line.split('|'))

/** Splits chunks of text into lines. A chunk may end inside a line or character. */
class Lines {
  readonly #decoder = new TextDecoder()
  #rest = ''

  read(bytes: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    return lines
  }

  end(): string[] {
    return [this.#rest + this.#decoder.decode()]
  }
}

/**
 * Reads the given tables of a `.tar.gz` archive of `|`-separated files, in the order of the archive. Skips
 * the first line of a file if it contains the names of the columns.
 */
export async function* readTables(path: string, tables: readonly string[]): AsyncGenerator<TablePart> {
  const file = createReadStream(path)
  // If reading the file fails, the error destroys the archive stream, and reading this stream throws.
  const archive = pipeline(file, createGunzip(), () => {})
  let open: { name: string; table: string; lines: Lines } | undefined
  for await (const { name, bytes } of readTar(archive)) {
    if (open !== undefined && open.name !== name) {
      yield { table: open.table, rows: rowsOf(open.lines.end()), bytesRead: file.bytesRead }
      open = undefined
    }
    const table = TABLE.exec(name)?.[1]
    if (table === undefined || !tables.includes(table)) continue
    open ??= { name, table, lines: new Lines() }
    yield { table, rows: rowsOf(open.lines.read(bytes)), bytesRead: file.bytesRead }
  }
  if (open) yield { table: open.table, rows: rowsOf(open.lines.end()), bytesRead: file.bytesRead }
}
