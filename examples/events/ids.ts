/** The ids of the records in `data.ts`. An id belongs to one node, whatever its type. */
export const PEOPLE = { ada: '1', ben: '2', cleo: '3', dov: '4', esme: '5' } as const

export const VENUES = { mill: '21', hall: '22', yard: '23' } as const

export const GROUPS = { menders: '31', lanterns: '32', bakers: '33' } as const

export const POSTS = { kettle: '301', iron: '302', paper: '303', bruno: '304' } as const

export const EVENTS = {
  swap: '101',
  walk: '102',
  bread: '103',
  repair: '104',
  party: '105',
  sourdough: '106',
  lanterns: '107',
  choir: '108',
  starters: '109',
  oven: '110',
} as const

export const COMMENTS = {
  tools: '201',
  kettle: '202',
  bicycle: '203',
  radio: '204',
  thanks: '205',
  desk: '206',
  bubbles: '207',
} as const
