import { batchConflictError } from '../../base/errors.ts'
import type { BatchId } from '../../store/conditional.ts'
import { BATCH_STEP_SCRIPT } from './batch-scripts.ts'
import {
  type Command,
  type CommandReply,
  createScriptCommand,
  parseListReply,
  type ScriptCommand,
  unwrapReplies,
} from './commands.ts'
import { WRITE_SIDES_SCRIPT } from './edge-scripts.ts'
import { NODE_ENTRIES_SCRIPT } from './entry-scripts.ts'
import { DELETE_NODE_SCRIPT, PUT_NODE_SCRIPT, REPLACE_NODE_SCRIPT } from './node-scripts.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { StepSender } from './write-steps.ts'

type StepName = 'put' | 'replace' | 'delete' | 'entries' | 'sides'

/** The scripts that run once for each batch with an id, and their names in `BATCH_STEP_SCRIPT`. */
const STEP_NAMES: ReadonlyMap<string, StepName> = new Map<string, StepName>([
  [PUT_NODE_SCRIPT, 'put'],
  [REPLACE_NODE_SCRIPT, 'replace'],
  [DELETE_NODE_SCRIPT, 'delete'],
  [NODE_ENTRIES_SCRIPT, 'entries'],
  [WRITE_SIDES_SCRIPT, 'sides'],
])

/** The recovery note of first sides that an earlier attempt has written: its source and its score. */
export type KnownNote = { readonly source: string; readonly score: string }

/** Returns the id in the key of a node. */
export const parseId = (key: string): string => /\{(\d+)\}/.exec(key)?.[1] ?? ''

const findStepName = (command: Command | undefined) =>
  command !== undefined && 'script' in command ? STEP_NAMES.get(command.script) : undefined

/** The number of arguments of `NODE_ENTRIES_SCRIPT` before its entries. */
const ENTRY_ARGS = 3

/** Returns a reply of a script that writes a node which says the same about its earlier run. */
const toNodeReply = (
  name: string | undefined,
  args: readonly string[],
  result: unknown,
  purges: unknown,
): unknown => {
  if (name === 'put') return ['done', result, []]
  if (name === 'replace') return args[0]
  // The node may have been put again since, so it is not deleted again after a failover.
  return ['missing', '', purges]
}

/**
 * Sends the commands of a batch with an id. The scripts that write nodes and first sides do nothing if an
 * earlier attempt to write the batch has run them.
 */
export class BatchSender implements StepSender {
  /** The notes of the first sides that were written before. Their second sides may be unfinished. */
  readonly knownNotes: KnownNote[] = []
  readonly #sender: StepSender
  readonly #keys: RedisKeys
  readonly #batch: BatchId

  constructor(sender: StepSender, keys: RedisKeys, batch: BatchId) {
    this.#sender = sender
    this.#keys = keys
    this.#batch = batch
  }

  async sendSettled(commands: readonly Command[]): Promise<readonly CommandReply[]> {
    const replies = await this.#sender.sendSettled(commands.map(command => this.#toStep(command)))
    return replies.map((reply, index) => {
      const command = commands[index]
      const isStep = reply[0] === null && findStepName(command) !== undefined
      return isStep && command !== undefined && 'script' in command
        ? this.#toReply(command, parseListReply(reply[1]))
        : reply
    })
  }

  async send(commands: readonly Command[]): Promise<readonly unknown[]> {
    return unwrapReplies(await this.sendSettled(commands))
  }

  #toStep(command: Command): Command {
    const name = findStepName(command)
    if (name === undefined || !('script' in command)) return command
    const { id, digest, keepMs } = this.#batch
    const stepKey = this.#keys.batchStep(parseId(command.key), name === 'sides' ? 'e' : 'n', id)
    return createScriptCommand(
      BATCH_STEP_SCRIPT,
      [stepKey, ...command.keys],
      [digest, `${keepMs}`, name, ...command.args],
    )
  }

  /** Returns the reply of the script itself, or a reply that says the same about its earlier run. */
  #toReply(command: ScriptCommand, [status, result, purges]: readonly unknown[]): CommandReply {
    if (status === 'new') return [null, result]
    if (status === 'conflict') return [batchConflictError()]
    const name = findStepName(command)
    if (name === 'sides') {
      if (result !== '') this.knownNotes.push({ source: parseId(command.key), score: String(result) })
      return [null, ['known']]
    }
    if (name !== 'entries') return [null, toNodeReply(name, command.args, result, purges)]
    const [nodeScript, , count] = command.args
    const args = command.args.slice(ENTRY_ARGS + 2 * Number(count))
    return [null, [toNodeReply(nodeScript, args, result, purges), 'known']]
  }
}
