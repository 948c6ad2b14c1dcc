import { beforeEach, expect, test } from 'vitest'
import { createAccountAttempts } from './account-attempts.ts'

let now = new Date(0)
let slept: number[] = []
beforeEach(() => {
  slept = []
})
const attempts = (sleep = async (ms: number): Promise<unknown> => slept.push(ms)) =>
  createAccountAttempts(() => now, sleep)
const wrong = async () => undefined

test('ten wrong passwords are free, then each attempt waits, longer and longer', async () => {
  const { check } = attempts()
  for (let i = 0; i < 18; i++) await check('ada', wrong)
  expect(slept).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
  // The right one waits too: otherwise a guess would show at once that it is right.
  expect(await check('ada', async () => 'in')).toBe('in')
  expect(slept).toHaveLength(9)
  await check('bob', wrong)
  now = new Date(now.getTime() + 5 * 60_000)
  await check('ada', wrong)
  expect(slept).toHaveLength(9)
})

test('says once that an account is slowed', async () => {
  const { check } = attempts()
  let told = 0
  for (let i = 0; i < 20; i++) await check('ada', wrong, () => told++)
  expect(told).toBe(1)
})

test('many at once are not free: one at a time is checked, and few wait', async () => {
  const ends: (() => void)[] = []
  const { check } = attempts(() => Promise.resolve())
  let running = 0
  const slow = () => {
    running++
    return new Promise<undefined>((resolve) => ends.push(() => resolve(undefined)))
  }
  const all = Array.from({ length: 100 }, () =>
    check('ada', slow).catch((error: { code: string }) => error.code),
  )
  await Promise.resolve()
  expect(running).toBeLessThanOrEqual(11)
  while (ends.length > 0) {
    ends.pop()?.()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  const answers = await Promise.all(all)
  expect(answers.filter((one) => one === 'TOO_MANY_REQUESTS')).toHaveLength(87)
  expect(running).toBe(13)
})

test('a check that fails is no wrong password, and lets the next one in', async () => {
  const { check } = attempts()
  for (let i = 0; i < 30; i++) {
    await expect(check('ada', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  }
  expect(slept).toEqual([])
})

test('remembers the newest 10,000 accounts', async () => {
  const { check } = attempts()
  for (let i = 0; i < 11; i++) await check('first', wrong)
  for (let i = 0; i < 10_000; i++) await check(`account ${i}`, wrong)
  slept = []
  await check('first', wrong)
  expect(slept).toEqual([])
})
