import type { Session } from '../base/session.ts'
import type { Store } from '../store/contract.ts'
import { delegateStore } from './delegate-store.ts'

/** Returns a store whose calls all have a session: the store itself without one. */
export const withSession = (store: Store, session: Session | undefined): Store => {
  if (session === undefined) return store
  return delegateStore(store, {
    read: (request, options) => store.read(request, { ...options, session }),
    write: (mutations, options) => store.write(mutations, { ...options, session }),
    snapshot: options => store.snapshot({ ...options, session }),
  })
}
