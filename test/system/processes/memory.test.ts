import { spawn } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memoryBelow, tellsMemory } from '../../../src/system/processes/memory.js'
import { fileWith } from '../../project/temporary.js'
import { skips } from '../../skips.js'

const megabyte = 1024 ** 2
const notTold = skips('the memory of processes', tellsMemory() ? null : 'the system does not tell it')

/** A shell above a program, once so many of its processes have said that they are ready. */
async function shellAbove(program: string, processes = 1): Promise<number> {
  const shell = spawn('sh', ['-c', `python3 -c "${program}"; true`], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void shell.stdin!.end())
  let said = ''
  for await (const text of shell.stdout!) {
    said += text
    if (said.split('\n').length > processes) break
  }
  return shell.pid!
}

const allocate = 'import os, sys; x = bytearray(100 * 1024 ** 2)'
const wait = "print('ready', flush=True); sys.stdin.read()"

describe.skipIf(notTold)('the memory below a process', () => {
  test('is that of the processes that it has started', async () => {
    const shell = await shellAbove(`${allocate}; ${wait}`)
    expect(memoryBelow(shell, 0)).toBeGreaterThan(100 * megabyte)
    expect(memoryBelow(shell, 0)).toBeLessThan(140 * megabyte)
  })

  test('counts what several processes share once', async () => {
    const shell = await shellAbove(`${allocate}; os.fork(); os.fork(); ${wait}`, 4)
    expect(memoryBelow(shell, 0)).toBeGreaterThan(100 * megabyte)
    expect(memoryBelow(shell, 0)).toBeLessThan(200 * megabyte)
  })

  test('has all of a file that others have in memory, too', async () => {
    const data = fileWith(Buffer.alloc(100 * megabyte, 1), 'data')
    const map = `import mmap, sys; f = open('${data}', 'rb'); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)`
    const program = `${map}; sum(m[at] for at in range(0, len(m), 4096)); ${wait}`
    const shells = [await shellAbove(program), await shellAbove(program)]
    for (const shell of shells) expect(memoryBelow(shell, 0)).toBeGreaterThan(100 * megabyte)
  })

  test('includes processes that a thread has started', async () => {
    const threaded = 'import threading, subprocess, sys; '
    const child = `subprocess.run([sys.executable, '-c', '${allocate}; ${wait.replaceAll("'", '\\"')}'])`
    const shell = await shellAbove(`${threaded}t = threading.Thread(target=lambda: ${child}); t.start(); t.join()`)
    expect(memoryBelow(shell, 0)).toBeGreaterThan(100 * megabyte)
  })

  test('is nothing of a process that has ended', async () => {
    const ended = spawn('true')
    await new Promise(resolve => ended.once('close', resolve))
    expect(memoryBelow(ended.pid!, 0)).toBe(0)
  })
})
