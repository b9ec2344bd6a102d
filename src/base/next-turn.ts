/** Waits for the next turn of the event loop, so that what else is due runs before. */
export const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve)
  })
