/** The ids of the records in `data.ts`. An id belongs to one node, whatever its type. */
export const PEOPLE = { ada: '1', ben: '2', cleo: '3', dov: '4', esme: '5' } as const

export const VENUES = { mill: '21', hall: '22', yard: '23' } as const

export const EVENTS = {
  swap: '101',
  walk: '102',
  bread: '103',
  repair: '104',
  party: '105',
  sourdough: '106',
  lanterns: '107',
  choir: '108',
} as const

export const COMMENTS = { tools: '201', kettle: '202', bicycle: '203', radio: '204' } as const

/** Creates an id of 62 random bits for a new event. */
export const newId = (): string => {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return String((bits >> 2n) + 1n)
}
