// Numbers in sentences.
export const n = new Intl.NumberFormat()

export const count = (number: number, one: string, many: string) =>
  `${n.format(number)} ${number === 1 ? one : many}`

export const countLeads = (number: number) => count(number, 'lead', 'leads')

/** Words are English, so their lists are too. */
export const list = new Intl.ListFormat('en')

export const are = (number: number) => (number === 1 ? 'is' : 'are')
export const were = (number: number) => (number === 1 ? 'was' : 'were')
