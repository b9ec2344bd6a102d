import { createClient } from 'kithgraph/client'
import type { schema } from '../schema.ts'

export const client = createClient<typeof schema>('/graph')
