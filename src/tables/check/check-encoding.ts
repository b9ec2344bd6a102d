import type { TableModel } from '../model/table-model.ts'
import type { ReadNumber } from './check-values.ts'

/** SQL_ASCII stores all bytes. */
const COUNT_COMPLETE = `select count(*) from pg_database
  where datname = current_database() and pg_encoding_to_char(encoding) in ('UTF8', 'SQL_ASCII')`

/**
 * Whether the columns of a database can hold the characters of all languages. If not, a statement with a text that has
 * another character fails, and no one but the server knows which characters these are.
 */
export const holdsAllCharacters = async ({ dialect }: TableModel, read: ReadNumber): Promise<boolean> =>
  dialect === 'sqlite' || (await read(COUNT_COMPLETE)) > 0
