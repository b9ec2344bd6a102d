import type { Finding } from '../measure/finding.ts'

/** One row of the bench. */
export type Row = {
  /** What it is asked for by. */
  readonly name: string
  readonly title: string
  /** What else its command is given. */
  readonly options?: readonly string[]
  measure(): Promise<readonly Finding[]>
}
