import { field, hasScope, parameter } from 'kithgraph'
import {
  back,
  collection,
  defineTables,
  fromParameter,
  fromSession,
  json,
  notNull,
  ref,
  through,
} from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { isPlainObject } from '../../../src/base/json.ts'
import { isField } from '../../../src/schema/field.ts'
import { studioDescription } from '../../helpers/studio-description.ts'

type Path = readonly string[]

/** What declarations in JavaScript may contain by mistake. */
const WRONG_VALUES: readonly unknown[] = [
  undefined,
  null,
  5,
  '',
  Symbol('x'),
  () => 1,
  [],
  [null],
  {},
  Object.create(null),
  { kind: 'back' },
  { kind: 'tableRef' },
  { kind: 'parameter' },
]

/** A declaration with each kind of member and option. */
const declaration = {
  types: {
    org: { over: { table: 'org', key: ['id'] }, fields: { name: { default: true } } },
    account: {
      over: 'account',
      where: { deleted_at: null, org_id: fromSession(session => session.claims?.org), mood: ['calm'] },
      description: 'A person.',
      idPrefix: 'account',
      policy: [hasScope('read')],
      fields: {
        name: true,
        created_time: { column: 'created_at', description: 'When.', since: 'v2.0' },
        settings: { as: json<{ theme: string }>(), weight: 7 },
        double_name: field.string({ resolve: ids => ids.map(() => 'x') }),
        manager: ref('account', 'manager_id', { description: 'The manager.' }),
      },
      edges: {
        photos: back('photo', 'owner_id', {
          by: 'created_at',
          description: 'Photos.',
          defaults: ['caption'],
          parameters: { state: parameter.enum(['draft', 'public']) },
          where: { state: fromParameter('state'), caption: notNull },
          order: 'taken',
          orders: { taken: { by: 'taken_at', nulls: 'end', direction: 'ascending' } },
        }),
        following: through('follow', 'follower_id', 'account', 'followee_id', {
          by: 'created_at',
          count: { column: 'follower_count' },
          timeZone: 'Europe/Paris',
          fields: { note: true, followed_time: { column: 'created_at' } },
        }),
      },
    },
    photo: { over: 'photo', timeZone: 'UTC', fields: { caption: { default: true } } },
    revision: {
      over: 'revision',
      fields: { previous: ref('revision', ['previous_photo_id', 'previous_number']) },
    },
  },
  options: {
    names: undefined,
    versions: ['v1.0', 'v2.0'],
    viewers: ['account'],
    collections: { photos: collection('photo', { by: 'created_at', count: 'exact' }) },
  },
}

/** The paths of all members that callers write. Those of policies, parameters and fields are checked elsewhere. */
const pathsIn = (value: unknown, path: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null || path.includes('policy') || isField(value)) return [path]
  if ('kind' in value && !['back', 'through', 'tableRef', 'tableCollection'].includes(`${value.kind}`))
    return [path]
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))]
}

/** Returns a copy with another value at a path. */
const withMember = (value: unknown, [name, ...rest]: Path, member: unknown): unknown => {
  if (name === undefined || typeof value !== 'object' || value === null) return member
  const entries = Object.entries(value).map(
    ([key, old]) => [key, key === name ? withMember(old, rest, member) : old] as const,
  )
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}

const memberAt = (value: unknown, path: Path): unknown =>
  path.reduce((member, name) => (isPlainObject(member) ? member[name] : undefined), value)

const NAMED_BY_CALLERS = ['types', 'fields', 'edges', 'where', 'orders', 'collections', 'parameters']

/** Whether callers write the members of an object, and their names are known. Functions create those with a kind. */
const hasOptions = (path: Path, value: unknown): boolean =>
  isPlainObject(value) && !('kind' in value) && !NAMED_BY_CALLERS.includes(path.at(-1) ?? '')

/** Returns the errors of a call, one in each text. */
const errorsOf = (run: () => unknown): readonly string[] => {
  try {
    run()
    return []
  } catch (error) {
    if (!(error instanceof TypeError)) return [String(error)]
    const [first = '', ...lines] = error.message.split('\n- ')
    return lines.length > 0 ? lines : [first]
  }
}

const errorsOfDeclaration = (declared: unknown): readonly string[] => {
  const { types, options } = declared as { types: never; options: never }
  return errorsOf(() => defineTables(studioDescription, types, options))
}

/** Whether an error says where it is, what was expected, and what was received. */
const isClear = (error: string): boolean => /^[\w.]+: .* must .+; received .+/s.test(error)

const BUILDERS: { readonly [name: string]: (...args: readonly never[]) => unknown } = {
  back,
  through,
  collection,
  ref,
}

describe('a malformed declaration', () => {
  it('has no errors before it is changed', () => {
    expect(errorsOfDeclaration(declaration)).toEqual([])
  })

  const paths = pathsIn(declaration).filter(({ length }) => length > 1)

  it.each(paths.map(path => [path.join('.'), path] as const))(
    'has only errors with their place, what was expected and what was received, if %s is of a wrong kind',
    (_, path) => {
      const errors = WRONG_VALUES.flatMap(value => errorsOfDeclaration(withMember(declaration, path, value)))
      expect(errors.filter(error => !isClear(error))).toEqual([])
    },
  )

  const objects = paths.filter(path => hasOptions(path, memberAt(declaration, path)))

  it.each(objects.map(path => [path.join('.'), path] as const))(
    'has an error if %s has an unknown member',
    (_, path) => {
      const member = { ...Object(memberAt(declaration, path)), polcy: [] }
      const errors = errorsOfDeclaration(withMember(declaration, path, member))
      expect(errors).toEqual([expect.stringContaining('"polcy"')])
    },
  )

  it.each(Object.keys(BUILDERS))('is rejected by %s() with the name of the wrong argument', name => {
    for (const value of WRONG_VALUES.filter(value => typeof value !== 'string')) {
      const errors = errorsOf(() => BUILDERS[name]?.(value as never, value as never))
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatch(
        /^(?:back|through|collection|ref): "(?:target|joinTable)" must be .*; received /,
      )
    }
  })
})
