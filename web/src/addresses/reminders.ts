// The state of the inbox is its address: whose reminders, of which list, and whether they are done.

export interface InboxState {
  who: 'mine' | 'all'
  /** Undefined: of all leads, and those without a lead. */
  list?: string | undefined
  isDone?: boolean
}

export function readAddress(search: string): InboxState {
  const query = new URLSearchParams(search)
  return {
    who: query.get('who') === 'all' ? 'all' : 'mine',
    list: query.get('list') || undefined,
    isDone: query.get('done') === 'true',
  }
}

export function remindersHref({ who, list, isDone }: InboxState): string {
  const query = new URLSearchParams()
  if (who === 'all') query.set('who', who)
  if (list) query.set('list', list)
  if (isDone) query.set('done', 'true')
  return query.size > 0 ? `/reminders?${query}` : '/reminders'
}
