export { createJwtAuth } from './create-jwt-auth.ts'
export type { JwtAlgorithm, JwtAuthOptions } from './jwt-options.ts'
