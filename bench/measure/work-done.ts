/** Answers milliseconds since some moment. */
export type Clock = () => number

/** Milliseconds that the process has worked: on a machine with other users, a clock would tell of them too. */
export const workDone: Clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds that passed: where another process does a part of the work, no other clock tells of it. */
export const timePassed: Clock = () => performance.now()
