export type { AppIds } from './app-ids.ts'
