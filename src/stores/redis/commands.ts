import { describeValue } from '../../base/describe.ts'
import { usageErrorAbout } from '../../base/usage-error.ts'
import { computeSlot } from './key-slot.ts'

/** A command, or a script with its keys and arguments. `key` determines the node of a cluster. */
export type Command =
  | { readonly key: string; readonly name: string; readonly args: readonly string[] }
  | ScriptCommand

/** A script with its keys and arguments. */
export type ScriptCommand = {
  readonly key: string
  readonly script: string
  readonly keys: readonly string[]
  readonly args: readonly string[]
}

/** Creates a command whose first argument is its only key. */
export const createCommand = (name: string, key: string, ...args: readonly string[]): Command => ({
  key,
  name,
  args: [key, ...args],
})

/** Creates a command that runs a script with at least one key. */
export const createScriptCommand = (
  script: string,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): ScriptCommand => ({ key: keys[0], script, keys, args })

/** The reply to a command: its error, or null, and its value. */
export type CommandReply = readonly [error: unknown, value?: unknown]

export const unwrapReplies = (replies: readonly CommandReply[]): readonly unknown[] =>
  replies.map(([error, value]) => {
    if (error !== null) throw error
    return value
  })

/**
 * Asserts that a reply is a list.
 *
 * @throws TypeError if it is not.
 */
export const parseListReply = (reply: unknown): readonly unknown[] => {
  if (!Array.isArray(reply)) throw usageErrorAbout('redis', 'the reply', 'an array', describeValue(reply))
  return reply
}

/** The addresses that serve each slot of a cluster, the master first. */
export type AddressesBySlot = readonly (readonly string[])[]

/** The commands for one node of a cluster, and their indexes among all commands. */
export type CommandGroup = { readonly commands: Command[]; readonly indexes: number[] }

/**
 * Groups commands by node of a cluster. A client accepts a pipeline only if the slots of all its commands
 * have the same list of addresses, so there is one group for each of these lists.
 */
export const groupByClusterNode = (
  commands: readonly Command[],
  slots: AddressesBySlot,
  keyPrefix: string,
): Iterable<CommandGroup> => {
  const groups = new Map<string, CommandGroup>()
  // Slots with the same addresses share one array. Finding the array is faster than joining its addresses.
  const groupsByAddressList = new Map<AddressesBySlot[number] | undefined, CommandGroup>()
  const findOrCreateGroup = (addressList: AddressesBySlot[number] | undefined): CommandGroup => {
    const addressText = addressList?.join() ?? ''
    const group = groups.get(addressText) ?? { commands: [], indexes: [] }
    groups.set(addressText, group)
    groupsByAddressList.set(addressList, group)
    return group
  }
  for (const [index, command] of commands.entries()) {
    const addressList = slots[computeSlot(keyPrefix + command.key)]
    const group = groupsByAddressList.get(addressList) ?? findOrCreateGroup(addressList)
    group.commands.push(command)
    group.indexes.push(index)
  }
  return groups.values()
}
