import { isNonArrayObject } from '../../base/json.ts'
import type { EdgeKey } from '../../store/contract.ts'
import type { EdgeListKey, Finding, InspectedEdge } from '../../store/inspection.ts'
import { toSourceNumber } from '../source-number.ts'
import { prepareCommand, type SqliteDatabase, type SqliteValue } from './connection.ts'
import type { SqliteIdColumn } from './id-column.ts'
import { prepareBatchWriter } from './write-batch.ts'

const NAME_ID_SQL = '(select id from names where text = ?)'
const LIST_SQL = `source = ? and name = ${NAME_ID_SQL}`

const DELETE_DANGLING_SQL = `
  delete from edges where target = ? and ${LIST_SQL} and not (
    (source = 0 or exists (select 1 from nodes where id = edges.source)) and exists (select 1 from nodes where id = edges.target)
  )`

const CORRECT_COUNT_SQL = `
  insert into counts select ?, ${NAME_ID_SQL}, (select count(*) from edges where ${LIST_SQL}) where true
  on conflict do update set total = excluded.total where total <> excluded.total`

const DELETE_EMPTY_COUNT_SQL = `
  delete from counts
  where ${LIST_SQL} and total = 0 and not exists (select 1 from edges where ${LIST_SQL})`

const toListParameters = (
  { source, name }: EdgeListKey,
  { toParameter }: SqliteIdColumn,
): readonly [SqliteValue, SqliteValue] => [toParameter(toSourceNumber(source)), JSON.stringify(name)]

type ReadEdges = (keys: readonly EdgeKey[]) => readonly (InspectedEdge | undefined)[]

/** Prepares a function that adds the missing side of a mirrored edge. */
const prepareMirrorWriter = (database: SqliteDatabase, ids: SqliteIdColumn, readEdges: ReadEdges) => {
  const writeBatch = prepareBatchWriter(database, ids)
  return (edge: EdgeKey, mirror: EdgeKey): void => {
    const [existing, other] = readEdges([edge, mirror])
    if (existing?.sourceType === undefined || existing.targetType === undefined || other !== undefined) return
    const { time, data } = existing
    writeBatch([{ op: 'putEdge', edge: { ...mirror, time, data } }])
  }
}

/**
 * Prepares the repairs. Each reads the data again, and must run in a transaction of its own. Returns whether it
 * changed a row.
 */
export const prepareRepair = (
  database: SqliteDatabase,
  ids: SqliteIdColumn,
  readEdges: ReadEdges,
): ((finding: Finding) => boolean) => {
  const addMirror = prepareMirrorWriter(database, ids, readEdges)
  const deleteDangling = prepareCommand(database, DELETE_DANGLING_SQL)
  const correctCount = prepareCommand(database, CORRECT_COUNT_SQL)
  const deleteEmptyCount = prepareCommand(database, DELETE_EMPTY_COUNT_SQL)
  const countChanges = prepareChangeCounter(database)
  const apply = (finding: Finding): void => {
    switch (finding.kind) {
      case 'halfMirror':
        addMirror(finding.edge, finding.mirror)
        break
      case 'danglingEdge':
        deleteDangling(ids.toParameter(finding.edge.target), ...toListParameters(finding.edge, ids))
        break
      case 'wrongCount':
        correctCount(...toListParameters(finding, ids), ...toListParameters(finding, ids))
        break
      case 'emptyCount':
        deleteEmptyCount(...toListParameters(finding, ids), ...toListParameters(finding, ids))
    }
  }
  return finding => {
    const before = countChanges()
    apply(finding)
    return countChanges() > before
  }
}

/** Prepares a function that returns the number of rows that the connection has changed. */
const prepareChangeCounter = (database: SqliteDatabase): (() => number) => {
  const statement = database.prepare('select total_changes() as result')
  return () => {
    const row: unknown = statement.get()
    return isNonArrayObject(row) ? Number(row.result) : 0
  }
}
