/**
 * Converts a name from camel case: `createdAt` to `created_at`, `userID` to `user_id`. An underscore goes before each
 * capital that follows a small letter or a digit.
 */
export const toSnakeCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
