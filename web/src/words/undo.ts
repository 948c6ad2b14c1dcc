export const undo = {
  last: 'Undo my last change',
  nothing: 'Nothing to undo in this tab',
  done: (how: string, what: string) => `${how}: ${what}`,
  failed: (what: string) => `Couldn’t undo: ${what}`,
  redo: 'Redo',
  redoLast: 'Redo what I last undid',
  nothingToRedo: 'Nothing to redo in this tab',
  notRedone: (what: string) => `Couldn’t redo: ${what}`,
  change: (field: string, name: string) => (name ? `${field} of ${name}` : field),
  move: (name: string) => `Move of ${name}`,
} as const
