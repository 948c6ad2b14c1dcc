// What leads can have in common. Plain values, for readers that must not load the schemas.

interface KeyKindSpec {
  /** Why two leads may be the same, in words. */
  says: string
  /** How likely two leads that have only this in common are the same. */
  weight: number
}

/** The kinds of keys, the strongest first. The database stores their places: a new kind comes last. */
export const keyKindTable = {
  email: { says: 'Same email', weight: 0.97 },
  email_loose: { says: 'Same mailbox, written differently', weight: 0.9 },
  phone: { says: 'Same phone number', weight: 0.85 },
  linkedin: { says: 'Same LinkedIn profile', weight: 0.97 },
  name_company: { says: 'Same name and company', weight: 0.8 },
  name_domain: { says: 'Same name and web domain', weight: 0.8 },
} as const satisfies Record<string, KeyKindSpec>

export type KeyKind = keyof typeof keyKindTable
export const keyKinds = Object.keys(keyKindTable) as [KeyKind, ...KeyKind[]]

/** Groups with more leads are listed apart: info@, a switchboard. */
export const largeGroup = 20

export const differentNames = 'Different names'
