import type { Session } from '../../base/session.ts'

/** The condition that a column has any value except NULL: `where: { published_at: notNull }`. */
export const notNull = Object.freeze({ kind: 'notNull' } as const)

/** The value of a column for the session of a call, which {@link fromSession} creates. */
export type SessionValue = {
  readonly kind: 'session'
  /** Returns the value for a session. */
  readonly valueOf: (session: Session) => unknown
}

/** The value of a column that a parameter of the edge has, which {@link fromParameter} creates. */
export type ParameterValue<TName extends string = string> = {
  readonly kind: 'parameter'
  readonly parameter: TName
}

/**
 * Limits the rows to those whose column has a value that depends on the session, such as the tenant of the viewer.
 * If the function returns `undefined`, `null` or a value that the column cannot hold, no row matches. If it throws,
 * the call fails. A time of Postgres is a string in ISO 8601, as in {@link WhereConstant}.
 *
 * @example
 * ```ts
 * import { fromSession } from 'kithgraph/tables'
 *
 * const where = { org_id: fromSession(session => session.claims?.org) }
 * console.log(where.org_id.kind) // session
 * ```
 */
export const fromSession = (read: (session: Session) => unknown): SessionValue =>
  Object.freeze({ kind: 'session', valueOf: read })

/**
 * Limits the entries of an edge or a collection to those whose column has the value of a parameter. The parameter is
 * an enum or a bool. If a call gives no value and the parameter has no default, the condition does not apply.
 *
 * @example
 * ```ts
 * import { parameter } from 'kithgraph'
 * import { back, fromParameter } from 'kithgraph/tables'
 *
 * const photos = back('photo', 'owner_id', {
 *   parameters: { state: parameter.enum(['draft', 'public'], { default: 'public' }) },
 *   where: { state: fromParameter('state') },
 * })
 * console.log(photos.target) // photo
 * ```
 */
export const fromParameter = <const TName extends string>(parameter: TName): ParameterValue<TName> =>
  Object.freeze({ kind: 'parameter', parameter })

/**
 * A constant that a column is compared with, in the form of the column's values: a string for texts, enums, uuids and
 * dates (`2026-03-01`), a number for numbers, a boolean for bools. A time is a string in ISO 8601, such as
 * `2026-03-01T12:00:00Z`, and in UTC without an offset. A `timestamp` is compared as fields show it, in the `timeZone` of
 * its table. An `int8` or a `numeric` that a number cannot hold is a string of digits.
 *
 * JSON, arrays, and types that a field reads only with `as`, such as `bytea`, and `date` and `datetime` in SQLite, have
 * no constants: compare such columns with `null` or `notNull`.
 */
export type WhereConstant = string | number | boolean

/**
 * The condition of one column: a value, an array of possible values, `null`, {@link notNull}, or the result of
 * {@link fromSession}.
 */
export type WhereValue = WhereConstant | readonly WhereConstant[] | null | typeof notNull | SessionValue

/** The conditions of the rows of a type, by the names of columns. All of them must hold. */
export type Where = { readonly [column: string]: WhereValue }

/** The conditions of the rows of a list, by the names of columns. All of them must hold. */
export type ListWhere = { readonly [column: string]: WhereValue | ParameterValue }
