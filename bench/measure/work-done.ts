/** A function that returns milliseconds since a fixed point in time. */
export type Clock = () => number

/**
 * Returns the processor time of the process in milliseconds. Clock time would include other processes on the
 * machine.
 */
export const workDone: Clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Returns the elapsed milliseconds. If another process does part of the work, only clock time includes it.
 */
export const timePassed: Clock = () => performance.now()
