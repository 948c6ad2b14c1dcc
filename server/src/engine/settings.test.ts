import { expect, test } from 'vitest'
import { memoryFound, serverSettings } from './settings.ts'

const GB = 1024 ** 3

test('a share of the memory goes to PostgreSQL', () => {
  expect(serverSettings(6 * GB, 4)).toMatchObject({
    shared_buffers: '1024MB',
    effective_cache_size: '3072MB',
    maintenance_work_mem: '192MB',
    work_mem: '12MB',
  })
})

test('a very small and a very large machine get sensible limits', () => {
  expect(serverSettings(GB / 16, 1)).toMatchObject({ shared_buffers: '32MB', work_mem: '4MB' })
  expect(serverSettings(512 * GB, 64)).toMatchObject({ shared_buffers: '4096MB', work_mem: '32MB' })
})

test('a query uses the cores that there are, up to five', () => {
  const workers = (cores: number) => serverSettings(GB, cores).max_parallel_workers_per_gather
  expect([1, 2, 4, 64].map(workers)).toEqual(['0', '1', '3', '4'])
})

test('writes stay safe: nothing turns fsync off', () => {
  const names = Object.keys(serverSettings(GB, 2))
  for (const unsafe of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    expect(names).not.toContain(unsafe)
  }
})

test('memory found is a plausible number', () => {
  expect(memoryFound()).toBeGreaterThan(GB / 16)
  expect(memoryFound()).toBeLessThan(100_000 * GB)
})
