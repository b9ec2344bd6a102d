import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { BatchId } from '../../store/conditional.ts'
import type { EdgeKey, EdgeRecord } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { type BatchEffect, collectNodeIds, foldBatch, mergeFields } from '../batch.ts'
import { resolveMutations } from '../resolve-mutations.ts'
import { toSourceNumber } from '../source-number.ts'
import { prepareAppliedBatches, prepareStoredState } from './conditional-writes.ts'
import { prepareCommand, prepareJsonQuery, type SqliteDatabase } from './connection.ts'
import type { SqliteIdColumn } from './id-column.ts'

type NodeEffect = Pick<BatchEffect, 'nodeDeletions' | 'nodePuts' | 'nodePatches'>
type EdgeEffect = Pick<BatchEffect, 'edgeDeletions' | 'edgePuts'>
type OtherEffect = Pick<BatchEffect, 'tokenDeletions' | 'tokenPuts' | 'flags'>

const NAME_ID_SQL = '(select id from names where text = ?)'

const prepareNodeWriter = (database: SqliteDatabase, { toParameter }: SqliteIdColumn) => {
  const deleteOutgoing = prepareCommand(database, 'delete from edges where source = ?')
  const deleteIncoming = prepareCommand(database, 'delete from edges where target = ?')
  const deleteNode = prepareCommand(database, 'delete from nodes where id = ?')
  const putNode = prepareCommand(
    database,
    'insert into nodes values (?, ?, ?) on conflict do update set fields = excluded.fields',
  )
  const readFields = prepareJsonQuery<JsonObject>(database, 'select fields as result from nodes where id = ?')
  const setFields = prepareCommand(database, 'update nodes set fields = ? where id = ?')
  return ({ nodeDeletions, nodePuts, nodePatches }: NodeEffect): void => {
    for (const id of nodeDeletions.map(toParameter)) {
      deleteOutgoing(id)
      deleteIncoming(id)
      deleteNode(id)
    }
    for (const { id, type, fields } of nodePuts)
      putNode(toParameter(id), JSON.stringify(type), JSON.stringify(fields))
    for (const { id, fields } of nodePatches) {
      const [oldFields = {}] = readFields(toParameter(id))
      setFields(JSON.stringify(mergeFields(oldFields, fields)), toParameter(id))
    }
  }
}

const prepareEdgeWriter = (database: SqliteDatabase, { toParameter }: SqliteIdColumn) => {
  const putName = prepareCommand(database, 'insert into names (text) values (?) on conflict do nothing')
  const deleteEdge = prepareCommand(
    database,
    `delete from edges where target = ? and source = ? and name = ${NAME_ID_SQL}`,
  )
  const putEdge = prepareCommand(
    database,
    `insert into edges values (?, ${NAME_ID_SQL}, ?, ?, nullif(?, 'null'))
    on conflict do update set time = excluded.time, data = excluded.data`,
  )
  const remove = ({ source, name, target }: EdgeKey): void => {
    deleteEdge(toParameter(target), toParameter(toSourceNumber(source)), JSON.stringify(name))
  }
  const put = ({ source, name, target, time, data }: EdgeRecord): void => {
    putEdge(
      toParameter(toSourceNumber(source)),
      JSON.stringify(name),
      time,
      toParameter(target),
      JSON.stringify(data ?? null),
    )
  }
  return ({ edgeDeletions, edgePuts }: EdgeEffect): void => {
    edgeDeletions.forEach(remove)
    for (const name of new Set(edgePuts.map(edge => edge.name))) putName(JSON.stringify(name))
    edgePuts.forEach(put)
  }
}

const prepareOtherWriter = (database: SqliteDatabase) => {
  const deleteToken = prepareCommand(database, 'delete from tokens where digest = ?')
  const putToken = prepareCommand(
    database,
    'insert into tokens values (?, ?) on conflict do update set record = excluded.record',
  )
  const putFlag = prepareCommand(
    database,
    'insert into flags values (?, ?) on conflict do update set value = excluded.value',
  )
  return ({ tokenDeletions, tokenPuts, flags }: OtherEffect): void => {
    for (const digest of tokenDeletions) deleteToken(JSON.stringify(digest))
    for (const { digest, token } of tokenPuts) putToken(JSON.stringify(digest), JSON.stringify(token))
    for (const [name, value] of flags) putFlag(JSON.stringify(name), JSON.stringify(value))
  }
}

const TYPES_SQL = `
  select group_concat('["' || n.id || '",' || n.type || ']') as result
  from json_each(?) requested cross join nodes n on n.id = requested.value`

/** Writes a batch. The caller must run it in a transaction, and roll back if it throws. */
export type BatchWriter = (mutations: readonly StoreMutation[], batch?: BatchId) => void

export const prepareBatchWriter = (database: SqliteDatabase, ids: SqliteIdColumn): BatchWriter => {
  const readTypes = prepareJsonQuery<readonly [id: NodeId, type: string]>(database, TYPES_SQL)
  const writeNodes = prepareNodeWriter(database, ids)
  const writeEdges = prepareEdgeWriter(database, ids)
  const writeOthers = prepareOtherWriter(database)
  const storedState = prepareStoredState(database, ids)
  const appliedBatches = prepareAppliedBatches(database)
  return (mutations, batch) => {
    if (batch !== undefined && appliedBatches.has(batch)) return
    const plainMutations = resolveMutations(mutations, storedState)
    const types = new Map(readTypes(JSON.stringify([...collectNodeIds(plainMutations)])))
    const effect = foldBatch(plainMutations, id => types.get(id))
    writeNodes(effect)
    writeEdges(effect)
    writeOthers(effect)
    if (batch !== undefined) appliedBatches.add(batch)
  }
}
