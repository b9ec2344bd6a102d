import { describeSecret, isSecret, SECRET_EXPECTED } from './access/secret.ts'
import { usageError } from './base/usage-error.ts'
import { schemaHasEncryptedCursors } from './schema/registry.ts'
import type { Schema } from './schema/schema.ts'
import type { Store } from './store/contract.ts'

/** @throws TypeError for a secret that is not text or is too short. The message does not show it. */
export const assertSecret = (name: string, value: unknown): void => {
  if (isSecret(value)) return
  throw usageError('createGraph', name, SECRET_EXPECTED, describeSecret(value))
}

/**
 * Requires a secret if several processes share a store with encrypted cursors or actions: each process must decrypt the
 * cursors, and derive the ids, of the others.
 */
export const assertSharedSecret = (
  { capabilities }: Store,
  secret: string | undefined,
  schema: Schema,
  hasActions: boolean,
): void => {
  if (secret !== undefined || !capabilities.shared) return
  if (!hasActions && !schemaHasEncryptedCursors(schema)) return
  const expected =
    'given for a shared store and actions, or a schema with a policy, a filter, a computed edge, or an order by a number or by a value that no field shows, since all processes derive the same keys from it'
  throw usageError('createGraph', 'secret', expected, 'undefined')
}
