type SetImmediate = (callback: () => void) => unknown

/** A promise of the next macrotask: what waits for the event loop, such as other requests, runs before. */
export const nextTask = (): Promise<void> =>
  new Promise(resolve => {
    // Not every runtime has it. Where it is missing, a timer takes a millisecond or more.
    const setImmediate: unknown = Reflect.get(globalThis, 'setImmediate')
    if (typeof setImmediate === 'function') (setImmediate as SetImmediate)(resolve)
    else setTimeout(resolve)
  })
