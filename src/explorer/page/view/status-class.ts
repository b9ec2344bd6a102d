/** The class that colours a status. */
export const statusClass = (status: number): 'good' | 'bad' => (status < 400 ? 'good' : 'bad')
