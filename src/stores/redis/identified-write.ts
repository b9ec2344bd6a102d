import { batchConflictError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { BatchId } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/contract.ts'
import { foldBatch } from '../batch.ts'
import { BatchAttempt } from './batch-attempt.ts'
import { BatchSender, type KnownNote } from './batch-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import { findFirstSide } from './condition-rules.ts'
import { parsePurge, type RedisKeys } from './encoding.ts'
import { purgeNode } from './node-purge.ts'
import { TypeConflict } from './node-writer.ts'
import { completeNote } from './note-completion.ts'
import { RoundTrip } from './round-trip.ts'
import {
  createAcceptedTypeLookup,
  createApplied,
  createTypeLookup,
  readExistingNodes,
  toWriteError,
  type WriteContext,
  writeEffect,
} from './write-batch.ts'

/** Returns the keys of the steps of a batch that write nodes and first sides. */
const collectStepKeys = (
  keys: RedisKeys,
  mutations: readonly StoreMutation[],
  batchId: string,
): readonly string[] => {
  const stepKeys = new Set<string>()
  for (const [index, mutation] of mutations.entries()) {
    if (mutation.op === 'putNode') stepKeys.add(keys.batchStep(mutation.node.id, 'n', batchId))
    else if (mutation.op === 'patchNode' || mutation.op === 'deleteNode')
      stepKeys.add(keys.batchStep(mutation.id, 'n', batchId))
    else if (mutation.op === 'putEdge' || mutation.op === 'deleteEdge')
      stepKeys.add(keys.batchStep(findFirstSide(mutation, index).source, 'e', batchId))
  }
  return [...stepKeys]
}

/**
 * Returns whether an earlier attempt has written a part of a batch.
 *
 * @throws GraphError `conflict` if another batch with the same id has.
 */
const readIsAccepted = async (
  { reader, keys }: WriteContext,
  mutations: readonly StoreMutation[],
  { id, digest }: BatchId,
): Promise<boolean> => {
  const roundTrip = new RoundTrip(reader)
  const readSteps = roundTrip.enqueueTexts(collectStepKeys(keys, mutations, id))
  await roundTrip.send()
  const steps = readSteps().flatMap(text => (typeof text === 'string' ? text : []))
  if (steps.some(text => text.slice(text.indexOf(' ') + 1) !== digest)) throw batchConflictError()
  return steps.length > 0
}

/** Completes the second sides of edges whose first sides an earlier attempt has written. */
export const completeKnownNotes = async (
  { sender, keys, settler }: WriteContext,
  knownNotes: readonly KnownNote[],
): Promise<void> => {
  const replies = await sender.send(
    knownNotes.map(({ source, score }) =>
      createCommand('zrangebyscore', keys.recoveryNotes(source), score, score),
    ),
  )
  for (const [index, { source }] of knownNotes.entries())
    for (const text of parseListReply(replies[index]).map(String))
      if (!(await completeNote(sender, keys, { source, text })))
        settler.addNotes([{ source, text }], undefined)
}

/**
 * Completes a conditional batch whose script has run at its source. Returns false if it has not run. A batch
 * that is no longer valid is sent again in another form, without its conditions and its source.
 *
 * @throws GraphError `conflict` if another batch with the same id was written there.
 */
const completeConditional = async (
  context: WriteContext,
  source: NodeId | undefined,
  { id, digest }: BatchId,
): Promise<boolean> => {
  if (source === undefined) return false
  const { reader, sender, keys } = context
  const [step, purges] = await sender.send([
    createCommand('get', keys.batchStep(source, 'c', id)),
    createCommand('zrange', keys.pendingPurges(source), '0', '-1'),
  ])
  if (typeof step !== 'string') return false
  const space = step.indexOf(' ')
  if (step.slice(space + 1) !== digest) throw batchConflictError()
  const score = step.slice(0, space)
  if (score !== '') await completeKnownNotes(context, [{ source, score }])
  for (const text of parseListReply(purges))
    await purgeNode(reader, sender, keys, { id: source, generation: parsePurge(String(text)) })
  return true
}

/**
 * Validates a batch with an id and without conditions, and writes those of its parts that no earlier attempt
 * has written.
 *
 * @throws GraphError like `writeBatch`, and `conflict` if another batch has the same id.
 */
export const writeIdentified = async (
  context: WriteContext,
  mutations: readonly StoreMutation[],
  batch: BatchId,
): Promise<void> => {
  const { sender, keys, settler } = context
  const { servers } = settler
  const attempt = new BatchAttempt(sender, keys, batch)
  const stepSender = new BatchSender(sender, keys, batch)
  const plan = async () => {
    const [{ wasWritten, source }, existingNodes, isAccepted] = await Promise.all([
      attempt.begin(),
      readExistingNodes(context.reader, keys, mutations),
      readIsAccepted(context, mutations, batch),
    ])
    if (wasWritten || (await completeConditional(context, source, batch))) return undefined
    const typeOf = isAccepted
      ? createAcceptedTypeLookup(mutations)
      : createTypeLookup(existingNodes, mutations)
    return { existingNodes, effect: foldBatch(mutations, typeOf) }
  }
  const planned = await plan().catch(async error => {
    await attempt.abandon()
    throw error
  })
  if (planned === undefined) return
  try {
    await writeEffect(context, stepSender, planned.effect, planned.existingNodes, servers)
  } catch (error) {
    if (!(error instanceof TypeConflict)) throw error
    // Nothing was written. The batch is not valid any more, or the node of another type is gone again.
    return writeIdentified(context, mutations, batch)
  }
  try {
    await completeKnownNotes(context, stepSender.knownNotes)
    await attempt.finish()
  } catch (cause) {
    throw toWriteError(cause, createApplied())
  }
}
