import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

test('the least limit of the control groups of this process counts, in both versions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rapport groups '))
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  await write('proc/self/cgroup', '0::/crm.slice/rapport.service\n')
  await write('sys/fs/cgroup/crm.slice/rapport.service/memory.max', 'max\n')
  await write('sys/fs/cgroup/crm.slice/memory.max', '134217728\n')
  expect(memoryFound(folder)).toBe(GB / 8)
  await write('proc/self/cgroup', '5:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n')
  await write('sys/fs/cgroup/memory/memory.stat', 'cache 0\nhierarchical_memory_limit 67108864\n')
  expect(memoryFound(folder)).toBe(GB / 16)
  await rm(folder, { recursive: true })
})

test('memory found is a plausible number', () => {
  expect(memoryFound()).toBeGreaterThan(GB / 16)
  expect(memoryFound()).toBeLessThan(100_000 * GB)
})
