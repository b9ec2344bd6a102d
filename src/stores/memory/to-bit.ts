/** Returns 0 for 0, and 1 for any other number, without a branch that the processor could mispredict. */
export const toBit = (number: number): number => (number | -number) >>> 31
