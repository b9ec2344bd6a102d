import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'

const REQUIRED_METHODS = ['open', 'close', 'read', 'write', 'snapshot'] as const
const WRITES: readonly unknown[] = [undefined, 'all', 'tokens', 'none']
const BOOLEAN_CAPABILITIES = ['snapshots', 'durable', 'shared', 'conditionalWrites', 'collections'] as const
const OPTIONAL_CAPABILITIES = ['bySession', 'readsAhead', 'conditions'] as const

/** @throws TypeError for a value that is not a store. The message names the missing members. */
export const assertStore = (caller: string, option: string, store: unknown): void => {
  const expected = 'a store, such as the result of createMemoryStore()'
  if (!isNonArrayObject(store)) throw usageError(caller, option, expected, describeValue(store))
  const missingMembers: string[] = REQUIRED_METHODS.filter(method => typeof store[method] !== 'function')
  const { capabilities } = store
  if (!isNonArrayObject(capabilities)) missingMembers.push('capabilities')
  else {
    const missingFlags = BOOLEAN_CAPABILITIES.filter(flag => typeof capabilities[flag] !== 'boolean')
    missingMembers.push(...missingFlags.map(flag => `capabilities.${flag}`))
    for (const flag of OPTIONAL_CAPABILITIES)
      if (capabilities[flag] !== undefined && typeof capabilities[flag] !== 'boolean')
        missingMembers.push(`a boolean capabilities.${flag}`)
    if (capabilities.ids !== undefined && !Array.isArray(capabilities.ids))
      missingMembers.push('an array capabilities.ids')
    if (!WRITES.includes(capabilities.writes)) missingMembers.push('a valid capabilities.writes')
    if (capabilities.atomicity !== 'batch' && capabilities.atomicity !== 'source')
      missingMembers.push('capabilities.atomicity')
  }
  if (missingMembers.length > 0)
    throw usageError(caller, option, expected, `an object without ${missingMembers.join(', ')}`)
}
