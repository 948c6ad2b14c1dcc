// Phone numbers in their international form (E.164), as far as that is known without a list of all numbers.

/**
 * Country and calling code, and what is special: `-` no prefix before numbers within the country, and how many digits
 * they have (`/9`); `*8` another prefix than 0; `~00` another prefix for calls abroad than 00.
 */
const table = `US1*1/10~011 CA1*1/10~011 AG1*1/10~011 BB1*1/10~011 BS1*1/10~011 DM1*1/10~011 DO1*1/10~011 GD1*1/10~011
  JM1*1/10~011 PR1*1/10~011 TT1*1/10~011 EG20 ZA27 GR30-/10 NL31 BE32 FR33 ES34-/9 HU36*06 IT39-/10 RO40
  CH41 AT43 GB44 DK45-/8 SE46 NO47-/8 PL48-/9 DE49 PE51 MX52-/10 CU53 AR54 BR55 CL56-/9 CO57-/10 VE58
  MY60 AU61~0011 ID62 PH63 NZ64 SG65-/8 TH66 RU7*8/10~810 KZ7*8/10~810 JP81~010 KR82 VN84 CN86 TR90
  IN91 PK92 AF93 LK94 MM95 IR98 SS211 MA212 DZ213 TN216-/8 LY218 GM220-/7 SN221-/9 MR222-/8 ML223-/8 GN224-/9
  CI225-/10 BF226-/8 NE227-/8 TG228-/8 BJ229-/10 MU230-/8 LR231 SL232 GH233 NG234 TD235-/8 CF236-/8 CM237-/9
  CV238-/7 GQ240-/9 GA241 CG242-/9 CD243 AO244-/9 GW245-/9 SC248-/7 SD249 RW250 ET251 SO252 DJ253-/8 KE254
  TZ255 UG256 BI257-/8 MZ258-/9 ZM260 MG261 RE262 ZW263 NA264 MW265 LS266-/8 BW267-/8 SZ268-/8 GL299-/6
  GI350-/8 PT351-/9 LU352-/9 IE353 IS354-/7 AL355 MT356-/8 CY357-/8 FI358 BG359 LT370 LV371-/8 EE372-/8
  MD373 AM374 BY375*80 AD376-/6 MC377-/8 SM378-/10 UA380 RS381 ME382 XK383 HR385 SI386 BA387 MK389 CZ420-/9
  SK421 LI423-/7 BZ501-/7 GT502-/8 SV503-/8 HN504-/8 NI505-/8 CR506-/8 PA507-/8 HT509-/8 BO591*0 GY592-/7
  EC593 PY595 SR597-/7 UY598 BN673-/7 PG675-/8 FJ679-/7 KH855 LA856 HK852-/8 MO853-/8 BD880 TW886 MV960-/7
  LB961 JO962 SY963 IQ964 KW965-/8 SA966 YE967 OM968-/8 PS970 AE971 IL972 BH973-/8 QA974-/8 BT975-/8 MN976
  NP977 TJ992-/9 TM993*8 AZ994 GE995 KG996 UZ998-/9`

interface Plan {
  code: string
  /** Before numbers within the country. */
  trunk: string
  /** How many digits a number has, where that tells one from a number with the calling code. */
  length: number | undefined
  abroad: string
}

const plans = new Map<string, Plan>()
const byCode = new Map<string, Plan>()
for (const [, country = '', code = '', none, trunk = '0', length, abroad = '00'] of table.matchAll(
  /([A-Z]{2})(\d+)(-)?(?:\*(\d+))?(?:\/(\d+))?(?:~(\d+))?/g,
)) {
  const plan = {
    ...{ code, trunk: none ? '' : trunk, abroad },
    length: length === undefined ? undefined : Number(length),
  }
  plans.set(country, plan)
  if (!byCode.has(code)) byCode.set(code, plan)
}

/** Zone, as this program names it → plan. */
const byZone = new Map<string, Plan | undefined>()

/** The plan of the country of a time zone. Undefined: of no country, or not known. */
function planOf(zone: string): Plan | undefined {
  if (byZone.size === 0) {
    for (const [region, plan] of plans) {
      // A property in older versions of Node, a function in newer ones.
      const locale = new Intl.Locale('und', { region }) as Zoned
      for (const name of locale.getTimeZones?.() ?? locale.timeZones ?? []) byZone.set(name, plan)
    }
  }
  const known = byZone.get(zone)
  if (known || byZone.has(zone)) return known
  const plan = byZone.get(canonical(zone))
  byZone.set(zone, plan)
  return plan
}

interface Zoned extends Intl.Locale {
  timeZones?: string[]
  getTimeZones?(): string[]
}

function canonical(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return ''
  }
}

/** An extension: two people of one switchboard. */
const extension = /(?:;ext=|\s*(?:ext|extension|x|#|durchwahl|dw)\.?:?\s*)(\d{1,6})\s*$/i
/** "+44 (0)20": the zero is dialed within the country only. */
const optionalTrunk = /\(\s*0\s*\)/

/**
 * The number with its calling code, or its digits where the country is not known. `zones` are those of the lead and of
 * the workspace. Undefined: this is no number that tells who it is.
 */
export function phoneKey(
  written: string,
  ...zones: (string | null | undefined)[]
): string | undefined {
  const inner = extension.exec(written)
  const main = inner ? written.slice(0, inner.index) : written
  const digits = digitsOf(main)
  if (digits.length < 6 || digits.length > 17 || /^(\d)\1*$/.test(digits)) return undefined
  const suffix = inner ? `x${inner[1]}` : ''
  const isInternational = /^[\s(]*[+\uff0b]/.test(main)
  const home = isInternational ? undefined : planOfAny(zones)
  if (isInternational) return international(digits, main) + suffix
  if (home && digits.startsWith(home.abroad)) {
    return international(digits.slice(home.abroad.length), main) + suffix
  }
  // Nearly everywhere two zeros are the prefix of calls abroad, and people of other countries write them too. A number
  // that is whole within its country has no prefix.
  if (digits.startsWith('00') && digits.length !== home?.length)
    return international(digits.slice(2), main) + suffix
  return (home ? national(digits, home) : digits) + suffix
}

const digitsOf = (text: string) =>
  (/^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKC')).replace(/\D+/g, '')

function planOfAny(zones: (string | null | undefined)[]): Plan | undefined {
  for (const zone of zones) {
    const plan = zone ? planOf(zone) : undefined
    if (plan) return plan
  }
  return undefined
}

function international(digits: string, written: string): string {
  const plan =
    byCode.get(digits.slice(0, 1)) ??
    byCode.get(digits.slice(0, 2)) ??
    byCode.get(digits.slice(0, 3))
  if (!plan) return `+${digits}`
  const rest = digits.slice(plan.code.length)
  const isDialed = plan.trunk === '0' && rest.startsWith('0')
  const isOptional = plan.trunk === '' && rest.startsWith('0') && optionalTrunk.test(written)
  return join(plan, isDialed || isOptional ? rest.slice(1) : rest)
}

function national(digits: string, plan: Plan): string {
  const { code, trunk, length } = plan
  const hasTrunk = trunk !== '' && digits.startsWith(trunk)
  // Written with the calling code, but without the plus.
  const isWhole =
    digits.startsWith(code) &&
    (length === undefined
      ? !hasTrunk && digits.length - code.length >= 8
      : digits.length - code.length === length)
  if (isWhole) return join(plan, digits.slice(code.length))
  const isLong = length === undefined || digits.length > length
  return join(plan, hasTrunk && isLong ? digits.slice(trunk.length) : digits)
}

/** Mobile numbers of two countries have a digit that is dialed only from abroad, or was until lately. */
function join({ code, length }: Plan, rest: string): string {
  if (code === '54' && rest.startsWith('9')) return `+54${rest.slice(1)}`
  if (code === '52' && rest.startsWith('1') && rest.length === Number(length) + 1) {
    return `+52${rest.slice(1)}`
  }
  return `+${code}${rest}`
}
