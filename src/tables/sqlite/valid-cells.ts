import { MAX_TIME } from '../../base/dates.ts'
import { MAX_KEY_LENGTH } from '../../base/named-ids.ts'
import type { TableColumn } from '../model/table-model.ts'
import { MAX_POSITION_BYTES } from '../rows/positions.ts'

const bytesSql = (reference: string): string => `length(cast(${reference} as blob))`

/** Whether a text has only characters of a class of ASCII, and no U+0000, after which functions see nothing. */
const hasOnly = (reference: string, characters: string): string =>
  `(${reference} not glob '*[^${characters}]*' and length(${reference}) = ${bytesSql(reference)})`

/** The cost of a text that is not well-formed: more than any limit. */
const MALFORMED = 1_000_000

/**
 * Returns the sum of the costs of the characters of a text. SQLite stores any bytes as a text, and JavaScript would
 * read others, so that the row of a position would not be found again.
 */
const characterCostSql = (reference: string, cost: (character: string, bytes: string) => string): string => {
  const character = 'substr(rest, 1, 1)'
  const bytes = bytesSql(character)
  return `(with recursive part (rest, bytes, cost) as (
  select ${reference}, 0, 0 union all
  select substr(rest, 2), bytes + ${bytes},
    cost + case when char(unicode(${character})) = ${character} then ${cost(character, bytes)} else ${MALFORMED} end
  from part where rest <> ''
) select case max(bytes) when ${bytesSql(reference)} then max(cost) else ${MALFORMED} end from part)`
}

const PRINTABLE = ' -~'

/** Whether a text is well-formed and has fewer bytes than a number. */
const shortTextSql = (reference: string, maxBytes: number): string =>
  `(typeof(${reference}) = 'text' and ${bytesSql(reference)} < ${maxBytes} and (${hasOnly(reference, PRINTABLE)} or ${characterCostSql(reference, () => '0')} = 0))`

const PLAIN_IN_IDS = 'A-Za-z0-9_-'

/** Returns the number of characters that a text has in an id. */
const idLengthSql = (reference: string, maxLength: number): string =>
  `case when ${bytesSql(reference)} > ${maxLength} then ${MALFORMED}
  when ${hasOnly(reference, PLAIN_IN_IDS)} then max(length(${reference}), 1)
  else ${characterCostSql(reference, (character, bytes) => `case when ${character} glob '[${PLAIN_IN_IDS}]' then 1 else 3 * ${bytes} end`)} end`

const dateSql = (reference: string): string =>
  `(typeof(${reference}) = 'text' and date(${reference}) = ${reference} and substr(${reference}, 1, 4) <> '0000')`

/**
 * Whether a text is a time in one of the forms of `toSqliteTime`. The functions of SQLite read more forms, so the
 * separators are checked too.
 */
const isoSql = (reference: string): string => {
  const time = `substr(${reference}, 12)`
  const conditions = [
    `typeof(${reference}) = 'text'`,
    `${reference} glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'`,
    `${bytesSql(reference)} < ${MAX_POSITION_BYTES}`,
    hasOnly(reference, '0-9T :.Z+-'),
    `date(substr(${reference}, 1, 10)) = substr(${reference}, 1, 10)`,
    `(length(${reference}) = 10 or substr(${reference}, 11) glob '[T ][0-9][0-9]:[0-9][0-9]*')`,
    `${time} < '24'`,
    `datetime(${reference}) is not null`,
    `${time} not glob '*[T -]*'`,
    `(instr(${reference}, '+') = 0 or ${reference} glob '*+00:00')`,
  ]
  return `(${conditions.join(' and ')})`
}

const numberSql = (reference: string): string => `typeof(${reference}) in ('integer', 'real')`

/** The plus keeps a condition from becoming the range of an index. */
const unixSql = (reference: string, maxTime: number): string =>
  `(${numberSql(reference)} and +${reference} between ${-maxTime} and ${maxTime})`

/**
 * Whether a cell is a value of the kind of its column, as `createKeyReader` reads it. Only such a value has a place
 * in the order of a list, because SQLite sorts every integer before every text, and every text before every blob.
 */
export const validCellSql = ({ kind }: TableColumn, reference: string): string => {
  switch (kind) {
    case 'bool':
      return `(typeof(${reference}) = 'integer' and +${reference} between 0 and 1)`
    case 'int8':
      return `typeof(${reference}) = 'integer'`
    case 'float':
    case 'numeric':
      return numberSql(reference)
    case 'unixMs':
      return unixSql(reference, MAX_TIME)
    case 'unixSeconds':
      return unixSql(reference, MAX_TIME / 1000)
    case 'iso':
      return isoSql(reference)
    case 'date':
      return dateSql(reference)
    default:
      return shortTextSql(reference, MAX_POSITION_BYTES)
  }
}

const partLengthSql = ({ kind }: TableColumn, reference: string): string => {
  if (kind === 'text') return idLengthSql(reference, MAX_KEY_LENGTH)
  return kind === 'bool' ? `case ${reference} when 1 then 4 else 5 end` : `length(${reference})`
}

/** Whether the cells of a key are those of an id. */
export const validKeySql = (
  columns: readonly TableColumn[],
  references: readonly string[],
): readonly string[] => {
  const classes = columns.map((column, index) => {
    const reference = references[index] ?? ''
    if (column.kind === 'text') return `typeof(${reference}) = 'text'`
    if (column.kind === 'numeric') return `typeof(${reference}) = 'integer'`
    return validCellSql(column, reference)
  })
  if (!columns.some(({ kind }) => kind === 'text')) return classes
  const lengths = columns.map((column, index) => partLengthSql(column, references[index] ?? ''))
  return [...classes, `${[...lengths, columns.length - 1].join(' + ')} <= ${MAX_KEY_LENGTH}`]
}
