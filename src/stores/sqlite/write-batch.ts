import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeRecord, EdgeTest, Mutation } from '../../store/contract.ts'
import { type BatchEffect, foldBatch, idsOf } from '../batch/fold-batch.ts'
import { mergeFields } from '../batch/merge-fields.ts'
import type { SqliteDatabase } from './sqlite-client.ts'
import { prepareCommand, prepareJsonQuery } from './statements.ts'

type NodeWriter = Pick<BatchEffect, 'deleteNodes' | 'putNodes' | 'patchNodes'>
type EdgeWriter = Pick<BatchEffect, 'deleteEdges' | 'putEdges'>
type TokenWriter = Pick<BatchEffect, 'deleteTokens' | 'putTokens'>

const NAME = '(select id from names where text = ?)'

const prepareNodeWriter = (database: SqliteDatabase) => {
  const deleteOutgoing = prepareCommand(database, 'delete from edges where source = ?')
  const deleteIncoming = prepareCommand(database, 'delete from edges where target = ?')
  const deleteNode = prepareCommand(database, 'delete from nodes where id = ?')
  const putNode = prepareCommand(
    database,
    'insert into nodes values (?, ?, ?) on conflict do update set fields = excluded.fields',
  )
  const fieldsOf = prepareJsonQuery<JsonObject>(database, 'select fields as answer from nodes where id = ?')
  const setFields = prepareCommand(database, 'update nodes set fields = ? where id = ?')
  return ({ deleteNodes, putNodes, patchNodes }: NodeWriter): void => {
    for (const id of deleteNodes.map(BigInt)) {
      deleteOutgoing(id)
      deleteIncoming(id)
      deleteNode(id)
    }
    for (const { id, type, fields } of putNodes)
      putNode(BigInt(id), JSON.stringify(type), JSON.stringify(fields))
    for (const { id, fields } of patchNodes) {
      const [before = {}] = fieldsOf(BigInt(id))
      setFields(JSON.stringify(mergeFields(before, fields)), BigInt(id))
    }
  }
}

const prepareEdgeWriter = (database: SqliteDatabase) => {
  const putName = prepareCommand(database, 'insert into names (text) values (?) on conflict do nothing')
  const deleteEdge = prepareCommand(
    database,
    `delete from edges where target = ? and source = ? and name = ${NAME}`,
  )
  const putEdge = prepareCommand(
    database,
    `insert into edges values (?, ${NAME}, ?, ?, nullif(?, 'null'))
    on conflict do update set time = excluded.time, data = excluded.data`,
  )
  const remove = ({ source, name, target }: EdgeTest): void => {
    deleteEdge(BigInt(target), BigInt(source), JSON.stringify(name))
  }
  const put = ({ source, name, target, time, data }: EdgeRecord): void => {
    putEdge(BigInt(source), JSON.stringify(name), time, BigInt(target), JSON.stringify(data ?? null))
  }
  return ({ deleteEdges, putEdges }: EdgeWriter): void => {
    deleteEdges.forEach(remove)
    for (const name of new Set(putEdges.map(edge => edge.name))) putName(JSON.stringify(name))
    putEdges.forEach(put)
  }
}

const prepareTokenWriter = (database: SqliteDatabase) => {
  const deleteToken = prepareCommand(database, 'delete from tokens where digest = ?')
  const putToken = prepareCommand(
    database,
    'insert into tokens values (?, ?) on conflict do update set record = excluded.record',
  )
  return ({ deleteTokens, putTokens }: TokenWriter): void => {
    for (const digest of deleteTokens) deleteToken(JSON.stringify(digest))
    for (const { digest, token } of putTokens) putToken(JSON.stringify(digest), JSON.stringify(token))
  }
}

const TYPES = `
  select group_concat('["' || n.id || '",' || n.type || ']') as answer
  from json_each(?) asked cross join nodes n on n.id = asked.value`

/** Writes a batch; to be called in a transaction, which what it throws must roll back. */
export type BatchWriter = (mutations: readonly Mutation[]) => void

export const prepareBatchWriter = (database: SqliteDatabase): BatchWriter => {
  const typesOf = prepareJsonQuery<readonly [id: NodeId, type: string]>(database, TYPES)
  const writeNodes = prepareNodeWriter(database)
  const writeEdges = prepareEdgeWriter(database)
  const writeTokens = prepareTokenWriter(database)
  return mutations => {
    const types = new Map(typesOf(JSON.stringify([...idsOf(mutations)])))
    const effect = foldBatch(mutations, id => types.get(id))
    writeNodes(effect)
    writeEdges(effect)
    writeTokens(effect)
  }
}
