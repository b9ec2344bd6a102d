import { socialSchema } from 'kithgraph'
import type { WireRequest } from '../../src/http/wire.ts'

/** The kinds of expressions in the requests. */
export const EXPRESSION_KINDS = [
  'short ones, over all types and edges',
  'with 190 values each',
  'with 190 unknown names each',
  'short ones, each in a form of 64 KB',
] as const

export type ExpressionKind = (typeof EXPRESSION_KINDS)[number]

const WIDTH = 190
const FORM = 65_536

/**
 * The types, each with its edges. There is one node of each type. The id of the node is the position of its
 * type, counted from 1.
 */
export const TYPES = Object.entries(socialSchema.types).map(([name, { edges }]) => ({
  name,
  edges: Object.keys(edges),
}))

/** All scopes of the schema. */
export const SCOPES = [
  ...new Set(
    Object.values(socialSchema.types).flatMap(({ fields, edges }) =>
      [...Object.values(fields), ...Object.values(edges)].flatMap(({ scope }) => scope ?? []),
    ),
  ),
]

const PATHS = TYPES.flatMap(({ edges }, index) => [
  `/${index + 1}`,
  ...edges.map(edge => `/${index + 1}/${edge}`),
])

const pathFor = (turn: number): string => PATHS[turn % PATHS.length] ?? '/'

const wide = (item: (index: number) => string): string =>
  Array.from({ length: WIDTH }, (_, index) => item(index)).join()

const get = (path: string, fields: string): WireRequest => ({
  method: 'GET',
  url: `${path}?fields=${fields}`,
  headers: {},
  body: undefined,
})

/** Creates the request for a turn. Each turn has a different expression. */
export const requestFor = (kind: ExpressionKind, turn: number): WireRequest => {
  const text = turn.toString(36).padStart(4, '0')
  switch (kind) {
    case 'short ones, over all types and edges':
      return get(pathFor(turn), `created_time.as(a${text})`)
    case 'with 190 values each':
      return get(
        pathFor(turn),
        wide(index => `likes.as(a${text}${index}).limit(1).since(${turn})`),
      )
    case 'with 190 unknown names each':
      return get(
        pathFor(turn),
        wide(index => `unknown_name_${text}_${index}`),
      )
    case 'short ones, each in a form of 64 KB': {
      const body = `method=get&fields=created_time.as(a${text})&padding=`
      return { method: 'POST', url: pathFor(turn), headers: {}, body: body.padEnd(FORM, 'x') }
    }
  }
}
