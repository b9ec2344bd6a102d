export { createJwtAuth } from './jwt-auth.ts'
export type { JwtAlgorithm, JwtAuthOptions } from './jwt-options.ts'
