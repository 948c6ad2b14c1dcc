import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const megabyte = 1024 * 1024

/** The memory this process may use, in bytes: the least limit of its control groups, or else the machine's memory. */
export function memoryFound(files = '/'): number {
  // Without a limit this is 0 or larger than any machine, depending on the kernel.
  const limits = [process.constrainedMemory(), ...groupLimits(files)]
  return Math.min(os.totalmem(), ...limits.filter((limit) => limit > 0))
}

/** Node knows the limit of the process's own group, but not those of the groups above, such as a systemd slice. */
function groupLimits(files: string): number[] {
  const read = (...names: string[]) => {
    try {
      return readFileSync(path.join(files, ...names), 'utf8')
    } catch {
      return ''
    }
  }
  const groups = 'sys/fs/cgroup'
  return read('proc/self/cgroup')
    .split('\n')
    .flatMap((line) => {
      const [, kind = '', group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
      if (kind === '') return above(group).map((one) => Number(read(groups, one, 'memory.max')))
      if (!kind.split(',').includes('memory')) return []
      // Version 1 knows the least limit of all groups above. A container may not see its group by that name.
      const stat =
        read(groups, 'memory', group, 'memory.stat') || read(groups, 'memory/memory.stat')
      return [Number(/^hierarchical_memory_limit (\d+)/m.exec(stat)?.[1])]
    })
}

/** "/a/b" → /a/b, /a, / */
function above(group: string): string[] {
  const parent = path.dirname(group)
  return parent === group ? [group] : [group, ...above(parent)]
}

/** PostgreSQL's settings for a machine with this much memory, in bytes, and this many cores. */
export function serverSettings(memory: number, cores: number): Record<string, string> {
  const share = (part: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(memory / megabyte / part, least), most))}MB`

  return {
    shared_buffers: share(6, 32, 4096),
    effective_cache_size: share(2, 64, 65536),
    maintenance_work_mem: share(32, 16, 512),
    work_mem: share(512, 4, 32),
    max_connections: '100',
    // A filter over a million leads is read by all cores, and no more processes than that: each makes its
    // own copy of what it looks things up in.
    max_parallel_workers_per_gather: String(Math.min(Math.max(cores - 1, 0), 4)),
    // The default is for rows that continue to other work; here they are ids.
    parallel_tuple_cost: '0.01',
    max_wal_size: '2GB',
    // This build can only compress with pglz: a tenth of a millisecond for each page after a checkpoint, which
    // is most of the time of a bulk change.
    wal_compression: 'off',
    // Most machines have solid-state disks, and the leads fit in memory.
    random_page_cost: '1.1',
    // Queries here take milliseconds: compiling them costs more than it saves.
    jit: 'off',
    timezone: 'UTC',
    lc_messages: 'C',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Without the details of errors, which contain values of rows.
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] ',
  }
}
