import { type Field, field, isViewer } from 'kithgraph'
import { describe, expect, it } from 'vitest'

const resolve = (records: readonly unknown[]) => records.map(() => 'a')

const WHOLE: readonly (readonly [option: string, inner: Field])[] = [
  ['default', field.string({ default: true })],
  ['scope', field.string({ scope: 'email' })],
  ['policy', field.string({ policy: [isViewer()] })],
  ['since', field.string({ since: 'v1.0' })],
  ['removedIn', field.string({ removedIn: 'v1.0' })],
  ['deprecated', field.string({ deprecated: 'Use mail.' })],
  ['resolve', field.string({ resolve })],
  ['from', field.ageRange()],
]

const PLACES: readonly (readonly [place: string, declare: (inner: Field) => unknown])[] = [
  ['field.list', inner => field.list(inner)],
  ['field.map', inner => field.map(inner)],
  ['field.object: mail', inner => field.object({ mail: inner })],
  ['field.list', inner => field.list(field.list(inner))],
  ['field.int: parameter mail', inner => field.int({ parameters: { mail: inner } })],
]

describe('a field inside of another', () => {
  it.each(
    PLACES.flatMap(([place, declare]) =>
      WHOLE.map(([option, inner]) => [place, option, declare, inner] as const),
    ),
  )('%s: has no %s, which would be ignored', (place, option, declare, inner) => {
    expect(() => declare(inner)).toThrow(
      new TypeError(`${place}: a ${option} belongs to the whole field, not to what is inside it`),
    )
  })

  it.each(PLACES)('%s: takes no parameters', (place, declare) => {
    expect(() => declare(field.int({ parameters: { size: field.int() } }))).toThrow(
      new TypeError(`${place}: only a whole field takes parameters, not what is inside it`),
    )
  })

  it.each(PLACES)('%s: may be described, be required, and be a picture', (_, declare) => {
    for (const inner of [
      field.string({ description: 'Where to write to.', default: false, scope: undefined }),
      field.string({ required: true }),
      field.picture(),
    ])
      expect(() => declare(inner)).not.toThrow()
  })
})
