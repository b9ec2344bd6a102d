import { batchConflictError } from '../../base/errors.ts'
import type { BatchId } from '../../store/conditional.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { type BatchEffect, foldBatch } from '../batch.ts'
import { BatchAttempt } from './batch-attempt.ts'
import { type BatchEntries, collectEntries } from './batch-entries.ts'
import { parseStep } from './batch-scripts.ts'
import { BatchSender } from './batch-sender.ts'
import { findFirstSide } from './condition-rules.ts'
import type { KeptBatch } from './kept-batch.ts'
import { TypeConflict } from './node-writer.ts'
import { completeKnownNotes } from './note-completion.ts'
import type { RedisKeys } from './redis-keys.ts'
import { RoundTrip } from './round-trip.ts'
import { SourceChangeWriter } from './source-change-writer.ts'
import { readSourceState, type SourceBatch } from './source-state.ts'
import {
  createAcceptedTypeLookup,
  createTypeLookup,
  type ExistingNodes,
  readExistingNodes,
  writeEffect,
} from './write-batch.ts'
import type { WriteContext } from './write-context.ts'
import { createApplied, toWriteError } from './write-errors.ts'

/** Returns the keys of the steps of a batch that write nodes and first sides. */
const collectStepKeys = (
  keys: RedisKeys,
  { source, mutations }: KeptBatch,
  batchId: string,
): readonly string[] => {
  if (source !== undefined) return [keys.batchStep(source, 'c', batchId)]
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
 * Returns whether an attempt has written a part of a batch.
 *
 * @throws GraphError `conflict` if another batch with the same id has.
 */
const readIsAccepted = async (
  { reader, keys }: WriteContext,
  batch: KeptBatch,
  { id, digest }: BatchId,
): Promise<boolean> => {
  const roundTrip = new RoundTrip(reader)
  const readSteps = roundTrip.enqueueTexts(collectStepKeys(keys, batch, id))
  await roundTrip.send()
  const steps = readSteps().flatMap(text => (typeof text === 'string' ? parseStep(text) : []))
  if (steps.some(step => step.digest !== digest)) throw batchConflictError()
  return steps.length > 0
}

/** Completes a batch with conditions or increments whose script has run at its source. */
const completeSource = async (context: WriteContext, batch: SourceBatch): Promise<void> => {
  const writer = new SourceChangeWriter(context, batch)
  try {
    const state = await readSourceState(context.sender, context.keys, batch, new Map())
    if (state.status === 'conflict') throw batchConflictError()
    if (state.status === 'known') await writer.completeKnown(state, state.result)
  } catch (cause) {
    throw writer.toError(cause)
  }
}

/** Writes the parts of a batch that no earlier attempt has written. */
type Completion = () => Promise<void>

/** Writes a batch with an id and without conditions. */
class IdentifiedWriter {
  readonly #context: WriteContext
  readonly #batch: BatchId
  /** The batch as the caller has sent it. */
  readonly #own: KeptBatch
  readonly #attempt: BatchAttempt
  readonly #stepSender: BatchSender
  /** The masters when the write began. */
  readonly #servers: string | undefined

  constructor(context: WriteContext, mutations: readonly StoreMutation[], batch: BatchId) {
    this.#context = context
    this.#batch = batch
    this.#own = { source: undefined, mutations }
    this.#attempt = new BatchAttempt(context.sender, context.keys, batch, this.#own)
    this.#stepSender = new BatchSender(context.sender, context.keys, batch)
    this.#servers = context.settler.servers
  }

  async write(): Promise<void> {
    const complete = await this.#plan().catch(async error => {
      await this.#attempt.abandon()
      throw error
    })
    if (complete === undefined) return
    try {
      await complete()
      await this.#attempt.finish()
    } catch (cause) {
      if (!(cause instanceof TypeConflict)) throw toWriteError(cause, createApplied(), 'again with its id')
      // Nothing was written.
      await this.#attempt.abandon()
      throw cause
    }
  }

  /** Returns undefined if the batch was written. */
  async #plan(): Promise<Completion | undefined> {
    const [{ wasWritten, kept }, existingNodes, isAccepted] = await Promise.all([
      this.#attempt.begin(),
      readExistingNodes(this.#context.reader, this.#context.keys, this.#own.mutations),
      readIsAccepted(this.#context, this.#own, this.#batch),
    ])
    if (wasWritten) return undefined
    const accepted = (await this.#findAccepted(kept)) ?? (isAccepted ? this.#own : undefined)
    if (accepted !== undefined) return this.#complete(accepted)
    let effect: BatchEffect
    try {
      effect = foldBatch(this.#own.mutations, createTypeLookup(existingNodes, this.#own.mutations))
    } catch (error) {
      // Another attempt may have written a part of the batch since the steps were read.
      const keptNow = await this.#attempt.readKept()
      const acceptedNow = (await this.#findAccepted(keptNow)) ?? (await this.#findAccepted(this.#own))
      if (acceptedNow === undefined) throw error
      return this.#complete(acceptedNow)
    }
    if (kept !== undefined) await this.#attempt.keep()
    return this.#createCompletion(effect, collectEntries(this.#own.mutations), existingNodes)
  }

  /** Returns a batch if an attempt has written a part of it. */
  async #findAccepted(batch: KeptBatch | undefined): Promise<KeptBatch | undefined> {
    return batch && (await readIsAccepted(this.#context, batch, this.#batch)) ? batch : undefined
  }

  async #complete({ source, mutations }: KeptBatch): Promise<Completion> {
    if (source !== undefined)
      return () => completeSource(this.#context, { source, mutations, batch: this.#batch })
    const existingNodes = await readExistingNodes(this.#context.reader, this.#context.keys, mutations)
    const effect = foldBatch(mutations, createAcceptedTypeLookup(mutations))
    return this.#createCompletion(effect, collectEntries(mutations), existingNodes)
  }

  #createCompletion(effect: BatchEffect, entries: BatchEntries, existingNodes: ExistingNodes): Completion {
    return async () => {
      await writeEffect(this.#context, this.#stepSender, effect, entries, existingNodes, this.#servers)
      await completeKnownNotes(this.#context, this.#stepSender.knownNotes)
    }
  }
}

/**
 * Validates a batch with an id and without conditions, and writes those of its parts that no earlier attempt
 * has written. If an earlier attempt has accepted the batch, it is not validated again.
 *
 * @throws GraphError like `writeBatch`, and `conflict` if another batch has the same id.
 */
export const writeIdentified = async (
  context: WriteContext,
  mutations: readonly StoreMutation[],
  batch: BatchId,
): Promise<void> => {
  try {
    await new IdentifiedWriter(context, mutations, batch).write()
  } catch (error) {
    if (!(error instanceof TypeConflict)) throw error
    // The batch is not valid any more, or the node of another type is gone again.
    await writeIdentified(context, mutations, batch)
  }
}
