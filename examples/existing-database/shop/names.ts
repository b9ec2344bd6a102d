import type { Random } from './random.ts'

const ADJECTIVES = [
  'Amber',
  'Brittle',
  'Copper',
  'Distant',
  'Early',
  'Folded',
  'Gentle',
  'Hollow',
  'Idle',
  'Late',
  'Marble',
  'Narrow',
  'Paper',
  'Quiet',
  'Rusty',
  'Silver',
  'Tidal',
  'Velvet',
  'Winter',
  'Yellow',
] as const
const NOUNS = [
  'Anchor',
  'Basket',
  'Canyon',
  'Compass',
  'Ember',
  'Ferry',
  'Garden',
  'Harbour',
  'Kettle',
  'Lantern',
  'Meadow',
  'Needle',
  'Orchard',
  'Pebble',
  'Radio',
  'Signal',
  'Station',
  'Thicket',
  'Umbrella',
  'Window',
] as const
const VERBS = [
  'Borrow',
  'Carry',
  'Follow',
  'Forget',
  'Hold',
  'Keep',
  'Leave',
  'Mend',
  'Remember',
  'Wait for',
] as const
const ENSEMBLES = ['Band', 'Choir', 'Ensemble', 'Orchestra', 'Quartet', 'Trio'] as const

const STARTS = [
  'Al',
  'Bre',
  'Cor',
  'Dav',
  'El',
  'Fen',
  'Gra',
  'Hol',
  'Ib',
  'Jor',
  'Kel',
  'Lum',
  'Mar',
  'Nev',
  'Or',
  'Pel',
  'Quin',
  'Rav',
  'Sel',
  'Tor',
] as const
const MIDDLES = ['a', 'e', 'i', 'o', 'u', 'ae', 'ia'] as const
const GIVEN_ENDS = ['bel', 'dra', 'la', 'lin', 'mo', 'na', 'ris', 'tan', 'va', 'zek'] as const
const FAMILY_ENDS = ['beck', 'dahl', 'ford', 'gard', 'holt', 'mere', 'quist', 'stead', 'vik', 'wick'] as const

const PLACES = ['bridge', 'bury', 'dale', 'field', 'haven', 'mouth', 'port', 'ton'] as const
const STREETS = ['Alder Lane', 'Bay Street', 'Canal Row', 'Dock Road', 'Elm Walk', 'Mill Yard'] as const
const COUNTRIES = ['Avaland', 'Brenmark', 'Corvia', 'Dunmere'] as const

/** Names from lists of words and syllables. No person, band or place has them on purpose. */
export const createNames = ({ pick, int, oneIn }: Random) => ({
  artist: (): string =>
    oneIn(3)
      ? `${pick(ADJECTIVES)} ${pick(NOUNS)} ${pick(ENSEMBLES)}`
      : `The ${pick(ADJECTIVES)} ${pick(NOUNS)}s`,
  album: (): string =>
    oneIn(2) ? `${pick(ADJECTIVES)} ${pick(NOUNS)}` : `${pick(VERBS)} the ${pick(NOUNS)}`,
  track: (): string =>
    oneIn(2) ? `${pick(VERBS)} the ${pick(ADJECTIVES)} ${pick(NOUNS)}` : `${pick(NOUNS)} No. ${int(1, 40)}`,
  givenName: (): string => `${pick(STARTS)}${pick(MIDDLES)}${pick(GIVEN_ENDS)}`,
  familyName: (): string => `${pick(STARTS)}${pick(MIDDLES)}${pick(FAMILY_ENDS)}`,
  address: () => ({
    street: `${int(1, 200)} ${pick(STREETS)}`,
    city: `${pick(STARTS)}${pick(PLACES)}`,
    state: oneIn(2) ? `${pick(STARTS)}shire` : null,
    country: pick(COUNTRIES),
    postalCode: `${int(10_000, 99_999)}`,
  }),
  review: (): string =>
    `${pick(['I play it every day', 'The second half is better', 'Too quiet for me', 'A good start', 'Buy it for the last track'])}${pick(['.', '!', ', but it is short.', '. My neighbours agree.'])}`,
  sharedPlaylist: (): string => `${pick(['Songs', 'Music', 'Tracks'])} for the ${pick(NOUNS)}`,
})

/** The functions that create names. */
export type Names = ReturnType<typeof createNames>
