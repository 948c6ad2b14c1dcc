// Words are English. Dates and times are as people write them in the browser's region, with its clock. Plain numbers
// have no words: they follow the browser's locale itself.

export function localeOf(language: string): string {
  try {
    const { region } = new Intl.Locale(language).maximize()
    const clock = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions().hourCycle
    return `en-${region ?? 'US'}${clock ? `-u-hc-${clock}` : ''}`
  } catch {
    return 'en'
  }
}

export const locale = localeOf(globalThis.navigator?.language ?? 'en-US')
