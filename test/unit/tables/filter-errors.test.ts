import { parameter } from 'kithgraph'
import { back, fromParameter, fromSession } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { account, errorsOf, type Mistake, odd, photo } from '../../helpers/wrong-tables.ts'

const MISTAKES: readonly Mistake[] = [
  [
    'an unknown column of a filter',
    { photo: { ...photo, where: { deletd_at: null } } },
    'photo: "where.deletd_at" must be a column of photo; received "deletd_at"; did you mean deleted_at?',
  ],
  [
    'a constant outside the type of its column',
    { odd: { ...odd, where: { small: 40000 } } },
    'odd: "where.small" must be an integer from -32768 to 32767; received 40000',
  ],
  [
    'a constant that is no label of an enum',
    { account: { ...account, where: { mood: 'bsy' } } },
    'account: "where.mood" must be one of "calm", "busy"; received "bsy"',
  ],
  [
    'a constant that is no uuid',
    { odd: { ...odd, where: { token: 'x' } } },
    'odd: "where.token" must be a uuid in small letters; received "x"',
  ],
  [
    'a constant that is no date',
    { odd: { ...odd, where: { on: '2026-02-30' } } },
    'odd: "where.on" must be a date as YYYY-MM-DD; received "2026-02-30"',
  ],
  [
    'a constant that is no time',
    { odd: { ...odd, where: { at: 5 } } },
    'odd: "where.at" must be a time in ISO 8601; received 5',
  ],
  [
    'a time before those that a column can have',
    { odd: { ...odd, where: { at: '-004800-01-01T00:00:00Z' } } },
    'odd: "where.at" must be a time in ISO 8601; received "-004800-01-01T00:00:00Z"',
  ],
  [
    'a day of the year 0, which Postgres does not have',
    { odd: { ...odd, where: { on: '0000-01-01' } } },
    'odd: "where.on" must be a date as YYYY-MM-DD; received "0000-01-01"',
  ],
  [
    'a constant that is no truth value',
    { odd: { ...odd, where: { ok: 1 } } },
    'odd: "where.ok" must be true or false; received 1',
  ],
  [
    'an empty array of constants',
    { photo: { ...photo, where: { state: [] } } },
    'photo: "where.state" must be a well-formed string; received an empty array',
  ],
  [
    'a constant for an array',
    { odd: { ...odd, where: { tags: 'a' } } },
    'odd: "where.tags" must be null or notNull, since the type text is not compared; received "a"',
  ],
  [
    'the value of a session for JSON',
    { odd: { ...odd, where: { map: fromSession(() => 1) } } },
    'odd: "where.map" must be null or notNull, since the type jsonb is not compared; received an object with kind, valueOf',
  ],
  [
    'a parameter of a type',
    { photo: { ...photo, where: { state: fromParameter('state') } } },
    'photo: "where.state" must be a value, an array of values, null, notNull or fromSession(); received an object with kind, parameter',
  ],
  [
    'a value of a parameter that the column cannot have',
    {
      account: {
        ...account,
        edges: {
          reports: back('account', 'manager_id', {
            parameters: { mood: parameter.enum(['calm', 'bsy']) },
            where: { mood: fromParameter('mood') },
          }),
        },
      },
    },
    'account.reports: "where.mood" must be one of "calm", "busy"; received "bsy"',
  ],
  [
    'a filter of a list of a wrong form',
    {
      account: {
        ...account,
        edges: { photos: back('photo', 'owner_id', { where: { state: {} } } as never) },
      },
      photo,
    },
    'account.photos: "where.state" must be a value, an array of values, null, notNull, fromSession() or fromParameter(); received an empty object',
  ],
]

describe('the declaration of what rows must be like', () => {
  it.each(MISTAKES.map(([mistake, types, error, options = {}]) => [mistake, types, error, options] as const))(
    'rejects %s with one error',
    (_mistake, types, error, options) => {
      expect(errorsOf(types, options)).toEqual([error])
    },
  )
})
