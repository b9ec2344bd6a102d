import { isPromiseLike } from '../base/awaitable.ts'
import type { Store, StoreReader } from './contract.ts'
import { withWantedFields } from './wanted-fields.ts'

const createStrippingRead =
  (reader: StoreReader): StoreReader['read'] =>
  (request, options) => {
    const result = reader.read(request, options)
    return isPromiseLike(result)
      ? result.then(settled => withWantedFields(settled, request))
      : withWantedFields(result, request)
  }

/** Wraps a store so that its reads return only the fields that they request. */
export const stripUnwantedFields = (store: Store): Store => ({
  capabilities: store.capabilities,
  open: () => store.open(),
  close: () => store.close(),
  read: createStrippingRead(store),
  write: (mutations, options) => store.write(mutations, options),
  snapshot: options => {
    const snapshot = store.snapshot(options)
    const strip = (opened: Awaited<typeof snapshot>) => ({
      read: createStrippingRead(opened),
      close: () => opened.close(),
    })
    return isPromiseLike(snapshot) ? snapshot.then(strip) : strip(snapshot)
  },
})
