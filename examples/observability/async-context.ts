import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api'

/**
 * Keeps the active span across promises, so that the events of a request become part of its trace. In a
 * service, use the package `@opentelemetry/context-async-hooks` instead, which also supports event emitters.
 */
export const createAsyncContext = (): ContextManager => {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, call, self, ...input) => storage.run(context, () => call.apply(self, input)),
    bind: (context, target) =>
      typeof target === 'function'
        ? storage.run(context, () => AsyncLocalStorage.bind(target.bind(target)))
        : target,
    enable: () => manager,
    disable: () => {
      storage.disable()
      return manager
    },
  }
  return manager
}
