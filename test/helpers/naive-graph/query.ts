import type { Order } from './world.ts'

/** What is asked of an edge list, whether in an expression or in a call. */
export type EdgeArguments = {
  readonly limit?: number | undefined
  readonly order?: Order | undefined
  readonly summary?: boolean | undefined
  readonly since?: number | string | undefined
  readonly until?: number | string | undefined
}

/** One item of an expression as data. Which members make sense depends on what its name is declared as. */
export type Item = Omit<EdgeArguments, 'order'> & {
  readonly name: string
  readonly order?: Order | 'sideways' | undefined
  readonly as?: string | undefined
  /** The parameter of a computed field. */
  readonly times?: number | undefined
  readonly fields?: readonly Item[] | undefined
}

/** How an expression is written where there is a choice; the choices are used in turn, again and again. */
export type Style = {
  /** White space between tokens. */
  readonly spaces: readonly string[]
  /** Whether a list of fields is written as `.fields(…)`. */
  readonly old: readonly boolean[]
}

const PLAIN: Style = { spaces: [], old: [] }

/** The arguments of an edge by name, without those that are not given. */
export const argumentsOf = (asked: Omit<Item, 'name'>): readonly (readonly [string, string])[] => {
  const { limit, order, summary, since, until } = asked
  return Object.entries({ limit, order, summary, since, until }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`] as const],
  )
}

/** The modifiers of an item in the order in which they are written. */
export const modifiersOf = (item: Item): readonly (readonly [string, string])[] => [
  ...argumentsOf(item),
  ...(item.times === undefined ? [] : [['times', `${item.times}`] as const]),
  ...(item.as === undefined ? [] : [['as', item.as] as const]),
]

/** The name of an item in the answer. */
export const keyOf = ({ name, as }: Item): string => as ?? name

/** Writes items as a field expression; without a style, in the shortest form. */
export const printItems = (items: readonly Item[], { spaces, old }: Style = PLAIN): string => {
  let space = 0
  let list = 0
  const join = (...tokens: readonly string[]): string =>
    tokens.map(token => token + (spaces[space++ % spaces.length] ?? '')).join('')
  const printed = (item: Item): string => {
    const calls = modifiersOf(item).map(([name, value]) => join('.', name, '(', value, ')'))
    const head = join(item.name) + calls.join('')
    if (item.fields === undefined) return head
    const [open, close] = old[list++ % old.length] ? [join('.', 'fields', '('), ')'] : [join('{'), '}']
    return head + open + item.fields.map(printed).join(join(',')) + join(close)
  }
  return items.map(printed).join(join(','))
}
