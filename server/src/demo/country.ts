// What the demo knows of a country. A name in non-Latin letters is followed by a slash and its Latin form, which is
// used in addresses: "山田/yamada". An underscore in a name stands for a space.
export interface Country {
  /** Share of the leads from this country, relative to the other countries. */
  weight: number
  timezone: string
  currency: string
  /** Each # is replaced with a digit. */
  phone: string
  /** Name, latitude, longitude. */
  cities: [string, number, number][]
  firstNames: string
  lastNames: string
  /** A company's name consists of one of these, or a last name, and a trade. */
  brands: string
  trades: string
  /** {city} is empty as long as there are unused names without a city. */
  companyForms: string[]
}
