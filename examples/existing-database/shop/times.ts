const SECOND_MS = 1000
const DIGITS_OF_MICROSECONDS = 3

/** The time of the newest rows. */
export const NOW = Date.parse('2026-03-01T12:00:00Z')

export const DAY_MS = 86_400 * SECOND_MS

/** Formats a time, with microseconds. Both databases accept it, and its order as text is that of the times. */
export const formatTime = (time: number, microseconds = 0): string =>
  new Date(time)
    .toISOString()
    .replace('Z', `${microseconds}`.padStart(DIGITS_OF_MICROSECONDS, '0').concat('Z'))
