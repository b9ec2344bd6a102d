import { createMemoryStore } from 'kithgraph/memory'
import { describe } from 'vitest'
import { describeDerivedLists } from '../helpers/derived-list-laws.ts'

describe('collections and orders in memory', () => describeDerivedLists(createMemoryStore, 60))
