import type { Finding } from '../measure/finding.ts'

/** One row of the bench. */
export type Row = {
  /** The name that selects the row. */
  readonly name: string
  readonly title: string
  /** Additional arguments of the row's command. */
  readonly options?: readonly string[]
  measure(): Promise<readonly Finding[]>
}
