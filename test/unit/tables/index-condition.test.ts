import { describe, expect, it } from 'vitest'
import { parseIndexCondition } from '../../../src/tables/check/index-condition.ts'

const parse = (sql: string, dialect: 'postgres' | 'sqlite' = 'postgres') =>
  parseIndexCondition(sql, dialect)?.map(({ column, test }) => `${column} ${test}`)

describe('the condition of an index', () => {
  it.each([
    ['(deleted_at IS NULL)', ['deleted_at is null']],
    ['(("a b" IS NOT NULL) AND (is_open IS NULL))', ['a b is not null', 'is_open is null']],
    ["((state)::text = 'it''s (and)'::text)", ["state = it's (and)"]],
    [`(mood = 'calm'::studio."Mood")`, ['mood = calm']],
    ['((a = 1) AND ((b = (-1.5)) AND (c IS NULL)))', undefined],
    ['((a = 1) AND ((b = 2) AND (c IS NULL)))', ['a = 1', 'b = 2', 'c is null']],
    ["(a = '-1'::integer)", ['a = -1']],
    ['is_open', ['is_open = true']],
    ['(NOT is_open)', ['is_open = false']],
    ['(is_open AND (a IS NULL))', ['is_open = true', 'a is null']],
  ])('%s of Postgres is read as %j', (sql, conditions) => {
    expect(parse(sql)).toEqual(conditions)
  })

  it.each([
    ['deleted_at is null and state = 1', ['deleted_at is null', 'state = 1']],
    [`"state" = 'open'`, ['state = open']],
    ['is_open', undefined],
    ['not is_open', undefined],
    ['deleted_at is null -- and not archived', undefined],
    ['deleted_at is null /* x */', undefined],
  ])('%s of SQLite is read as %j', (sql, conditions) => {
    expect(parse(sql, 'sqlite')).toEqual(conditions)
  })

  it.each([
    '(a IS NULL) OR (b IS NULL)',
    '((a IS NULL) OR (b IS NULL))',
    'a IS NULL OR b IS NULL AND c IS NULL',
    'NOT (a IS NULL)',
    '(a > 1)',
    '(a <> 1)',
    '(a = b)',
    "(lower(a) = 'x'::text)",
    "(a = ANY (ARRAY['x'::text, 'y'::text]))",
    '(a BETWEEN 1 AND 2)',
    '((a + 1) = 2)',
    '(a IS DISTINCT FROM 1)',
    '',
  ])('%s is not decided', sql => {
    expect(parse(sql)).toBeUndefined()
  })
})
