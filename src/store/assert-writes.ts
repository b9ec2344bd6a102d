import { usageErrorAbout } from '../base/usage-error.ts'
import { isReadOnly } from './capabilities.ts'
import type { Store } from './contract.ts'

/** @throws TypeError for a read-only store, whose nodes and edges other programs write. */
export const assertWritesData = (location: string, { capabilities }: Pick<Store, 'capabilities'>): void => {
  if (isReadOnly(capabilities))
    throw usageErrorAbout(location, 'the store', 'one that writes nodes and edges', 'a read-only store')
}

/** @throws TypeError for a store without a place for tokens. */
export const assertWritesTokens = (
  location: string,
  { capabilities: { writes } }: Pick<Store, 'capabilities'>,
): void => {
  if (writes === 'none')
    throw usageErrorAbout(location, 'the store', 'one that keeps tokens', 'a store that writes nothing')
}
