/** Waits for a time in milliseconds. Timers and signal handlers of the process run meanwhile. */
export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
