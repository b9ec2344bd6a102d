import { describe, expect, it } from 'vitest'
import { studio } from '../../helpers/table-declaration.ts'

const model = studio.tables['~model']

describe('the schema of defineTables', () => {
  it('has named ids', () => {
    expect(studio.schema.ids).toBe('named')
  })
})

describe('the model of defineTables', () => {
  it('has a list for each order and each combination of the parameters of an edge', () => {
    const lists = [...(model.types.get('account')?.lists.values() ?? [])]
    expect(lists.filter(({ path }) => path === 'account.photos').map(({ name }) => name)).toEqual([
      'photos__1',
      'photos__1#taken',
      'photos__1#rated',
      'photos__2',
      'photos__2#taken',
      'photos__2#rated',
      'photos__0',
      'photos__0#taken',
      'photos__0#rated',
    ])
  })
})
