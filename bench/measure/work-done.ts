/** Milliseconds that the process has worked: on a machine with other users, a clock would tell of them too. */
export const workDone = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
