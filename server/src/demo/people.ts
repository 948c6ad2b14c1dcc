// Creates the leads: people from many countries, and the companies they work for.
import type { Random } from '../random.ts'
import { countries } from './countries.ts'
import type { Country } from './country.ts'
import { icebreakers, roles } from './texts.ts'

/** A name, and its form in Latin letters for email and web addresses. */
interface Name {
  text: string
  latin: string
}

interface Place extends Name {
  latitude: number
  longitude: number
}

interface Land {
  weight: number
  country: Country
  firstNames: Name[]
  lastNames: Name[]
  brands: Name[]
  trades: Name[]
  cities: Place[]
  /** The newest companies. The next people work for one of them. */
  companies: Company[]
  /** Number of companies created in the country so far. */
  count: number
}

export interface Company {
  id: string
  name: string
  domain: string
  city: Place
}

export interface Lead {
  id: string
  created: number
  country: Country
  city: Place
  /** The employer of a person. For a company, another company of the same country. */
  company: Company | undefined
  /** The words that replace {name}, {company} and {city} in texts. */
  words: Words
  fields: Record<string, string | number | boolean | null>
}

export interface Words {
  name: string
  company: string
  city: string
}

export interface People {
  /** Creates the next lead, with this creation time. */
  next(created: number): Lead
}

const companyShare = 0.12
const companiesKept = 40
/** Has no common divisor with the number of names, so every name is used once before any repeats. */
const stride = 7919
const allWeights = countries.reduce((sum, { weight }) => sum + weight, 0)

/** `known` is the number of companies of earlier demos. Their names are not used again. */
export function createPeople(random: Random, known: number): People {
  const lands = countries.map((country) => land(country, known))

  function next(created: number): Lead {
    const home = random.weighted(lands)
    const id = random.id(created)
    return random.chance(companyShare) ? company(home, id, created) : person(home, id, created)
  }

  function company(home: Land, id: string, created: number): Lead {
    const made = newCompany(home, id)
    const parent = random.chance(0.1) ? pickCompany(home) : undefined
    home.companies.push(made)
    if (home.companies.length > companiesKept) home.companies.shift()
    const { name, domain, city } = made
    return {
      ...{ id, created, city, country: home.country, company: parent },
      words: { name, company: name, city: city.text },
      fields: {
        ...common(home, city),
        is_company: true,
        company: name,
        email: maybe(0.6, () => `${random.pick(['info', 'contact', 'office', 'hello'])}@${domain}`),
        phone: maybe(0.7, () => phone(home)),
        website_url: `https://www.${domain}`,
        ...(random.chance(0.8) && {
          linkedin_url: companyPage(made),
          linkedin_company_url: companyPage(made),
        }),
        twitter_company_name: maybe(0.3, () => handle(domain)),
        youtube_username: maybe(0.05, () => handle(domain)),
      },
    }
  }

  function newCompany(home: Land, id: string): Company {
    const { brands, trades, cities, country } = home
    const index = home.count++
    const names = brands.length * trades.length
    const slot = ((index % names) * stride) % names
    const brand = brands[slot % brands.length] as Name
    const trade = trades[Math.floor(slot / brands.length)] as Name
    // When all names are used, they repeat with a city, and after that with a number.
    const lap = Math.floor(index / names)
    const branch = cities[lap - 1] ?? (lap > 0 ? { text: `${lap}`, latin: `${lap}` } : undefined)
    const form = country.companyForms[slot % country.companyForms.length] as string
    const gap = country.companyForms.some((text) => text.includes(' ')) ? ' ' : ''
    return {
      id,
      name: form
        .replace('{brand}', brand.text)
        .replace('{trade}', trade.text)
        .replace('{city}', branch ? gap + branch.text : ''),
      // The domain .example is reserved: no mail of a demo can reach a real person.
      domain: `${[brand, trade, branch].flatMap((part) => part?.latin ?? []).join('-')}.example`,
      city: cities[lap - 1] ?? random.pick(cities),
    }
  }

  function person(home: Land, id: string, created: number): Lead {
    const first = random.pick(home.firstNames)
    const last = random.pick(home.lastNames)
    const employer = random.chance(0.94) ? pickCompany(home) : undefined
    const city = employer && random.chance(0.8) ? employer.city : random.pick(home.cities)
    const number = phone(home)
    const nick = `${first.latin}${last.latin.slice(0, 4)}${random.between(1, 999)}`
    const words = { name: first.text, company: employer?.name ?? last.text, city: city.text }
    return {
      ...{ id, created, city, words, country: home.country, company: employer },
      fields: {
        ...common(home, city),
        is_company: false,
        first_name: first.text,
        last_name: last.text,
        company: employer?.name ?? null,
        company_role: random.pick(roles),
        email: maybe(0.85, () => address(first, last, employer)),
        phone: maybe(0.6, () => number),
        linkedin_url: maybe(
          0.7,
          () => `https://www.linkedin.com/in/${first.latin}-${last.latin}-${id.slice(-8)}`,
        ),
        linkedin_company_url: employer ? maybe(0.5, () => companyPage(employer)) : null,
        twitter_name: maybe(0.15, () => `@${nick.replaceAll('-', '_')}`),
        instagram_username: maybe(0.06, () => nick),
        facebook_username: maybe(0.05, () => `${first.latin}.${last.latin}.${id.slice(-4)}`),
        telegram_username: maybe(0.04, () => `@${nick}`),
        whatsapp_username: maybe(0.08, () => number.replace(/[^+\d]/g, '')),
        youtube_username: maybe(0.01, () => nick),
        icebreaker: maybe(0.25, () => fill(random.pick(icebreakers), words)),
        icebreaker_2: maybe(0.05, () => fill(random.pick(icebreakers), words)),
      },
    }
  }

  function common(home: Land, city: Place) {
    return {
      city: city.text,
      timezone: home.country.timezone,
      // The sum of two numbers: values in the middle are more frequent.
      score: maybe(0.8, () => random.between(0, 50) + random.between(0, 50)),
      is_tracked: maybe(0.3, () => random.chance(0.7)),
    }
  }

  function address(first: Name, last: Name, employer: Company | undefined): string {
    if (!employer) return `${first.latin}.${last.latin}${random.between(1, 9999)}@mail.example`
    const local = random.chance(0.8)
      ? `${first.latin}.${last.latin}`
      : `${first.latin[0]}${last.latin}`
    return `${local}@${employer.domain}`
  }

  function pickCompany({ companies }: Land): Company | undefined {
    return companies.length > 0 ? random.pick(companies) : undefined
  }

  function phone({ country }: Land): string {
    return country.phone.replace(/#/g, () => String(random.between(0, 9)))
  }

  function maybe<T>(share: number, make: () => T): T | null {
    return random.chance(share) ? make() : null
  }

  return { next }
}

function land(country: Country, known: number): Land {
  const lastNames = names(country.lastNames)
  return {
    weight: country.weight,
    country,
    firstNames: names(country.firstNames),
    lastNames,
    brands: [...names(country.brands), ...lastNames],
    trades: names(country.trades),
    cities: country.cities.map(([city, latitude, longitude]) => ({
      ...{ ...name(city), latitude, longitude },
    })),
    companies: [],
    // 20 % more than the country's share, because random numbers are not exact.
    count: Math.ceil((known * country.weight * 1.2) / allWeights),
  }
}

function names(text: string): Name[] {
  return text.split(' ').map((word) => name(word.replaceAll('_', ' ')))
}

function name(written: string): Name {
  const [text = '', latin = text] = written.split('/')
  return { text, latin: toLatin(latin) }
}

const letters: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', ı: 'i', đ: 'd' }

function toLatin(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f’]/g, '')
    .replace(/[ßłøæıđ]/g, (letter) => letters[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
}

function companyPage({ domain }: Company): string {
  return `https://www.linkedin.com/company/${domain.replace('.example', '')}`
}

function handle(domain: string): string {
  return `@${domain.replace('.example', '').replaceAll('-', '_')}`
}

export function fill(text: string, words: Words): string {
  return text
    .replaceAll('{name}', words.name)
    .replaceAll('{company}', words.company)
    .replaceAll('{city}', words.city)
}
