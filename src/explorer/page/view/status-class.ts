/** Returns the class that colours a status. */
export const statusClassName = (status: number): 'good' | 'bad' => (status < 400 ? 'good' : 'bad')
