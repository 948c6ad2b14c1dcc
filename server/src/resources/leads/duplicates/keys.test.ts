import { keyKinds } from '@rapport/contract/duplicates.values'
import { describe, expect, test } from 'vitest'
import { companyNameKey, keysOf } from './keys.ts'
import { phoneKey } from './phone.ts'

const keyed = (lead: Record<string, unknown>, zone: string | null = null) =>
  keysOf(lead, zone).map(({ kind, key }) => `${keyKinds[kind - 1]} ${key}`)

describe('phone numbers', () => {
  const awkward: [string, string, string[]][] = [
    [
      'Europe/London',
      '+442079460958',
      [
        '020 7946 0958',
        '+44 (0)20 7946 0958',
        '0044 20 79460958',
        '+44 020 7946 0958',
        '442079460958',
      ],
    ],
    [
      'America/Chicago',
      '+13125550142',
      [
        '(312) 555-0142',
        '1-312-555-0142',
        '+1 312.555.0142',
        '011 1 312 555 0142',
        '001 312 555 0142',
        '3125550142',
      ],
    ],
    [
      'Europe/Berlin',
      '+493012345678',
      [
        '030 / 1234 56 78',
        '+49 30 12345678',
        '0049-30-12345678',
        '+49(0)3012345678',
        '49 30 12345678',
      ],
    ],
    ['Europe/Rome', '+390669812345', ['06 6981 2345', '+39 06 6981 2345', '0039 0669812345']],
    [
      'Europe/Madrid',
      '+34612345678',
      ['612 34 56 78', '+34 612345678', '34612345678', '0034 612 345 678'],
    ],
    ['Europe/Budapest', '+3611234567', ['06 1 123 4567', '+36 1 123 4567']],
    [
      'Europe/Moscow',
      '+74951234567',
      ['8 (495) 123-45-67', '+7 495 123 45 67', '74951234567', '4951234567'],
    ],
    [
      'America/Mexico_City',
      '+525512345678',
      ['55 1234 5678', '+52 1 55 1234 5678', '+52 55 1234 5678'],
    ],
    ['America/Argentina/Buenos_Aires', '+541112345678', ['011 1234 5678', '+54 9 11 1234 5678']],
    [
      'Australia/Sydney',
      '+61291234567',
      ['(02) 9123 4567', '0011 61 2 9123 4567', '+61 2 9123 4567'],
    ],
    [
      'Asia/Kolkata',
      '+919812345678',
      ['098123 45678', '98123 45678', '+91-98123-45678', '91 9812345678'],
    ],
    [
      'Asia/Tokyo',
      '+81312345678',
      ['03-1234-5678', '０３−１２３４−５６７８', '010 81 3 1234 5678'],
    ],
    ['Asia/Singapore', '+6561234567', ['6123 4567', '65 6123 4567']],
    ['Europe/Kyiv', '+380441234567', ['044 123 4567', '380441234567']],
  ]
  test.each(awkward)('of %s meet as %s', (zone, key, written) => {
    expect(written.map((each) => phoneKey(each, null, zone))).toEqual(written.map(() => key))
  })

  test("have the lead's country before the workspace's, and none without both", () => {
    expect(phoneKey('030 1234567', 'Europe/Vienna', 'Europe/Berlin')).toBe('+43301234567')
    expect(phoneKey('030 1234567', 'nowhere', 'UTC')).toBe('0301234567')
    expect(phoneKey('0043 30 1234567', 'UTC')).toBe('+43301234567')
    // Whole within the country: the zeros are part of it.
    expect(phoneKey('(008) 555-7826', 'America/New_York')).toBe('+10085557826')
    expect(phoneKey('0044 20 7946 0958', 'America/New_York')).toBe('+442079460958')
  })

  test('keep their extension, and are none if they tell nothing', () => {
    expect(phoneKey('+1 312 555 0142 ext. 12')).toBe('+13125550142x12')
    expect(['n/a', '-', '12345', '0000000', '999 999 999'].map((each) => phoneKey(each))).toEqual(
      Array(5).fill(undefined),
    )
  })
})

describe('emails', () => {
  test('meet without plus tags and, at Google, without dots', () => {
    expect(keyed({ email: ' Ada+News@Example.com ' })).toEqual([
      'email ada+news@example.com',
      'email_loose ada@example.com',
    ])
    expect(keyed({ email: 'ada@example.com' })).toEqual(['email ada@example.com'])
    expect(keyed({ email: 'a.da@googlemail.com' })).toEqual([
      'email a.da@googlemail.com',
      'email_loose ada@gmail.com',
    ])
    expect(keyed({ email: 'n/a', other_emails: [{ value: 'b@x.io', label: '' }] })).toEqual([
      'email b@x.io',
    ])
  })
})

test('LinkedIn profiles have many addresses', () => {
  const written = [
    'https://www.linkedin.com/in/Ada-Lovelace/',
    'linkedin.com/in/ada-lovelace?trk=x',
    'http://de.linkedin.com/in/ada-lovelace/de',
    'https://m.linkedin.com/mwlite/in/ada-lovelace',
  ]
  for (const linkedin_url of written) {
    expect(keyed({ linkedin_url })).toEqual(['linkedin ada-lovelace'])
  }
  // A person who names the page of the company is not the company.
  const page = 'https://www.linkedin.com/company/acme'
  expect(keyed({ linkedin_url: page })).toEqual([])
  expect(keyed({ linkedin_url: page, is_company: true })).toEqual(['linkedin acme'])
})

test('names meet in any order, without titles, accents and initials', () => {
  const company = 'Müller & Söhne GmbH & Co. KG'
  const written = [
    { first_name: 'Jürgen', last_name: 'Groß-Weiß', company },
    { first_name: 'Dr. Juergen', last_name: 'gross weiss', company: 'Mueller und Söhne' },
    { first_name: 'Gross-Weiss', last_name: 'Jurgen K.', company: 'MULLER SOHNE GMBH' },
  ]
  for (const lead of written) {
    expect(keyed(lead)).toEqual(['name_company gross jurgen weiss@mullersohne'])
  }
  expect(keyed({ first_name: 'Ada', company })).toEqual([])
  expect(
    keyed({ is_company: true, company: 'ACME, Inc.', website_url: 'http://www.acme.com/x' }),
  ).toEqual(['name_company @acme', 'name_domain @acme.com'])
})

test('a domain that many share is no key', () => {
  const lead = { first_name: 'Ada', last_name: 'King', email: 'ada@gmail.com' }
  expect(keyed(lead)).toEqual(['email ada@gmail.com'])
  expect(keyed({ ...lead, website_url: 'acme.com' })).toContain('name_domain ada king@acme.com')
})

test.each([
  ['Acme S.A. de C.V.', 'acme'],
  ['Acme Sp. z o.o.', 'acme'],
  ['ООО Ромашка', 'ромашка'],
  ['株式会社山田商事', '山田商事'],
  ['The Red Ridge Co., Ltd.', 'redridge'],
  ['Redridge', 'redridge'],
  ['GmbH', 'gmbh'],
  ['L’Oréal SA', 'loreal'],
])('the company %s is %s', (name, key) => expect(companyNameKey(name)).toBe(key))

test('long keys are cut and stay apart', () => {
  const keys = ['a', 'b'].flatMap((end) =>
    keysOf({ first_name: 'Ada', last_name: 'King', company: `${'😀x'.repeat(90)}${end}` }, null),
  )
  expect(new Set(keys.map(({ key }) => key)).size).toBe(2)
  for (const { key } of keys) expect(key.length).toBeLessThanOrEqual(64)
})
