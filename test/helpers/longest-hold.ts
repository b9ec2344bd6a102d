/**
 * Runs a function. Returns its result and the longest time for which it blocked the event loop, in
 * milliseconds.
 */
export const measureLongestHold = async <T>(run: () => Promise<T>): Promise<{ value: T; hold: number }> => {
  let hold = 0
  let last = performance.now()
  let isOver = false
  const tick = (): void => {
    const now = performance.now()
    hold = Math.max(hold, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  const value = await run()
  isOver = true
  hold = Math.max(hold, performance.now() - last)
  return { value, hold }
}
