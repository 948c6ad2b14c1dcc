export const palette = {
  commands: 'Commands',
  leads: 'Leads',
  views: 'Views',
  show: 'Show',
  part: (name: string) => `Settings: ${name}`,
  inList: (name: string) => `Leads in ${name}`,
  tagged: (name: string) => `Leads tagged ${name}`,
  allMatching: (text: string) => `All leads containing “${text}”`,
} as const
