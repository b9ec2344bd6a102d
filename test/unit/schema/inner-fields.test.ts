import { type Field, field, isViewer, parameter } from 'kithgraph'
import { describe, expect, it } from 'vitest'

const resolve = (records: readonly unknown[]) => records.map(() => 'a')

const WHOLE: readonly (readonly [option: string, inner: Field])[] = [
  ['default', field.string({ default: true })],
  ['present', field.string({ present: true })],
  ['scope', field.string({ scope: 'email' })],
  ['policy', field.string({ policy: [isViewer()] })],
  ['since', field.string({ since: 'v1.0' })],
  ['removedIn', field.string({ removedIn: 'v1.0' })],
  ['deprecated', field.string({ deprecated: 'Use mail.' })],
  ['resolve', field.string({ resolve })],
  ['from', field.ageRange()],
]

const LOCATIONS: readonly (readonly [location: string, declare: (inner: Field) => unknown])[] = [
  ['field.list: "of', inner => field.list(inner)],
  ['field.map: "of', inner => field.map(inner)],
  ['field.object: "members.mail', inner => field.object({ mail: inner })],
  ['field.list: "of', inner => field.list(field.list(inner))],
]

describe('a field inside another', () => {
  it.each(
    LOCATIONS.flatMap(([location, declare]) =>
      WHOLE.map(([option, inner]) => [location, option, declare, inner] as const),
    ),
  )('in %s" cannot have the option %s, which would be ignored', (location, option, declare, inner) => {
    expect(() => declare(inner)).toThrow(TypeError)
    expect(() => declare(inner)).toThrow(
      `${location}.${option}" must be left out, since only a whole field can have it; received `,
    )
  })

  it.each(LOCATIONS)('in %s" cannot have parameters', (location, declare) => {
    expect(() => declare(field.int({ parameters: { size: parameter.int() } }))).toThrow(
      new TypeError(
        `${location}.parameters" must be left out, since only a whole field can have it; received an object with size`,
      ),
    )
  })

  it.each(LOCATIONS)('in %s" may have a description, be required, and be a picture', (_, declare) => {
    for (const inner of [
      field.string({ description: 'Where to write to.', default: false, scope: undefined }),
      field.string({ required: true }),
      field.picture(),
    ])
      expect(() => declare(inner)).not.toThrow()
  })
})
