import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutJobScript } from '../../../src/domain/text/shell-message.js'
import { testAny } from '../../cases.js'

describe('a message of the shell about a job script', () => {
  test.each([
    '/home/a b/results/train/run_2/.run/job.sh: line 154: exec: python3x: not found',
    '/p/results/train/run_2/.run/job.sh: 154: exec: python3x: not found',
    '/p/results/train/run_2/.run/template.sh: line 70: python3x: command not found',
    '/p/.run/launch_2/template.sh: 1: eval: python3x: not found',
    '/var/spool/slurmd/job00012/slurm_script: line 154: exec: python3x: not found',
    'condor_exec.exe: 154: exec: python3x: not found',
    'setsid: failed to execute python3x: No such file or directory',
    "setsid: can't execute 'python3x': No such file or directory",
  ])('asks where the program is: %s', line => {
    expect(withoutJobScript(line)).toBe('python3x: not found: is it installed where the group runs?')
  })

  test.each([
    ['/p/.run/job.sh: line 154: exec: ', '/p/it.sh: cannot execute: Permission denied'],
    ['/p/.run/job.sh: line 154: ', '/opt/python: No such file or directory'],
    ['/p/.run/template.sh: line 70: ', 'cd: /nowhere: No such file or directory'],
  ])('is told without the place: %s', (place, message) => {
    expect(withoutJobScript(place + message)).toBe(message)
  })

  test.each([
    'ValueError: singular matrix',
    'train.sh: line 3: python3x: command not found',
    '/p/scripts/job.sh: line 3: exec: python3x: not found',
    'qanat: there is no conda on n1',
    'file.txt: not found',
    '',
  ])('of another program stays as it is: %s', line => {
    expect(withoutJobScript(line)).toBe(line)
  })

  const name = fc.stringMatching(/^[\w .+-]{1,20}$/).filter(text => !/^(line )?\d|^(exec|eval)/.test(text))
  testAny([name, fc.nat()])('is told without the place, whatever the program is called', (program, line) => {
    const said = withoutJobScript(`/p/.run/job.sh: line ${line}: exec: ${program}: not found`)
    expect(said).toBe(`${program}: not found: is it installed where the group runs?`)
  })
})
