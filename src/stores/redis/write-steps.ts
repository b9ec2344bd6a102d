import type { CommandSender } from './command-sender.ts'
import { type Command, unwrapReplies } from './commands.ts'

/** The part of a sender that writes need. */
export type StepSender = Pick<CommandSender, 'send' | 'sendSettled'>

/** A command of a write, and the id that it writes. */
export type WriteStep = { readonly id: string; readonly command: Command }

/**
 * Runs steps of a write concurrently, and returns their replies. Adds the ids of completed steps to
 * `doneIds`, even if other steps fail.
 */
export const runSteps = async (
  sender: StepSender,
  steps: readonly WriteStep[],
  doneIds?: string[],
  isDone: (reply: unknown) => boolean = () => true,
): Promise<readonly unknown[]> => {
  if (steps.length === 0) return []
  const replies = await sender.sendSettled(steps.map(step => step.command))
  for (const [index, { id }] of steps.entries()) {
    const reply = replies[index]
    if (reply !== undefined && reply[0] === null && isDone(reply[1])) doneIds?.push(id)
  }
  return unwrapReplies(replies)
}
