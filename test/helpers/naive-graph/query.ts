import type { ParameterValues } from './world.ts'

/** The arguments of an edge list, in an expression or in a call. */
export type EdgeArguments = {
  readonly limit?: number | undefined
  /** The name of an order. The edge may not have it. */
  readonly order?: string | undefined
  readonly summary?: boolean | undefined
  readonly since?: number | string | undefined
  readonly until?: number | string | undefined
  /** The values of the edge's own parameters. */
  readonly parameters?: ParameterValues | undefined
}

/** One item of an expression as data. The declaration of its name decides which members are valid. */
export type ItemSpec = EdgeArguments & {
  readonly name: string
  readonly as?: string | undefined
  /** The parameter of a computed field. */
  readonly times?: number | undefined
  readonly fields?: readonly ItemSpec[] | undefined
}

/** The style of a printed expression. The elements of each array are used in turn, repeatedly. */
export type PrintStyle = {
  /** White space between tokens. */
  readonly spaces: readonly string[]
  /** Whether a list of fields is written as `.fields(…)`. */
  readonly useCallSyntax: readonly boolean[]
}

const PLAIN: PrintStyle = { spaces: [], useCallSyntax: [] }

/** Returns the name and the text of each defined argument of an edge. */
export const argumentsOf = (item: Omit<ItemSpec, 'name'>): readonly (readonly [string, string])[] => {
  const { limit, order, summary, since, until } = item
  return Object.entries({ limit, order, summary, since, until }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`] as const],
  )
}

/** Returns the name and the text of each parameter with a value. `toText` converts the values that are text. */
export const parametersOf = (
  { parameters = {} }: Pick<ItemSpec, 'parameters'>,
  toText = (text: string): string => text,
): readonly (readonly [string, string])[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? toText(value) : `${value}`] as const],
  )

/** Quotes a text, unless it is a word. */
const quoteText = (text: string): string => (/^\w+$/.test(text) ? text : JSON.stringify(text))

/** Returns the modifiers of an item in their printed order. */
export const modifiersOf = (item: ItemSpec): readonly (readonly [string, string])[] => [
  ...argumentsOf(item),
  ...parametersOf(item, quoteText),
  ...(item.times === undefined ? [] : [['times', `${item.times}`] as const]),
  ...(item.as === undefined ? [] : [['as', item.as] as const]),
]

/** Returns the name of an item in the result. */
export const keyOf = ({ name, as }: ItemSpec): string => as ?? name

/** Prints items as a field expression, by default in its shortest form. */
export const printItems = (
  items: readonly ItemSpec[],
  { spaces, useCallSyntax }: PrintStyle = PLAIN,
): string => {
  let space = 0
  let list = 0
  const join = (...tokens: readonly string[]): string =>
    tokens.map(token => token + (spaces[space++ % spaces.length] ?? '')).join('')
  const printItem = (item: ItemSpec): string => {
    const calls = modifiersOf(item).map(([name, value]) => join('.', name, '(', value, ')'))
    const head = join(item.name) + calls.join('')
    if (item.fields === undefined) return head
    const [open, close] = useCallSyntax[list++ % useCallSyntax.length]
      ? [join('.', 'fields', '('), ')']
      : [join('{'), '}']
    return head + open + item.fields.map(printItem).join(join(',')) + join(close)
  }
  return items.map(printItem).join(join(','))
}
