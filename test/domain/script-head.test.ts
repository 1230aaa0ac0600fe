import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exampleArguments, readHead, shebangCommand } from '../../src/domain/script-head.js'
import { usualCommand } from '../../src/domain/user-command.js'

/** What a script takes, in a line: its options, then the one before its folder, then the one before data. */
function told(text: string): string {
  const { options, storageOption, datasetOption } = readHead(text)
  const names = options.map(({ name, isRequired, isFlag, value }) =>
    [name, isRequired ? '!' : '', isFlag ? '?' : '', value === null ? '' : `=${value}`].join(''),
  )
  return [names.join(' '), storageOption === undefined ? '-' : String(storageOption), datasetOption ?? '-'].join(' | ')
}

describe('the head of a script tells', () => {
  test.each([
    ['nothing', '', ' | - | -'],
    [
      'argparse',
      `p.add_argument('--lr', type=float, default=1e-3)\np.add_argument("-o", "--output_dir")`,
      '--lr=1e-3 --output_dir | --output_dir | -',
    ],
    [
      'several lines',
      `p.add_argument(\n  '--n', '-n',  # don't\n  help="a, b) (c", default=10_000,\n)`,
      '--n=10000 | - | -',
    ],
    [
      'flags',
      `p.add_argument('--debug', action='store_true')\n@click.option('--fast', is_flag=True)`,
      '--debug? --fast? | - | -',
    ],
    [
      'required ones',
      `p.add_argument('--seed', type=int, required=True)\np.add_argument('file')\np.add_argument('more', nargs='*')`,
      '--seed!=1 file! more | - | -',
    ],
    ['choices', `p.add_argument('--model', choices=['svm', 'mlp'])`, '--model=svm | - | -'],
    ['a default that is a name', `p.add_argument('--lr', default=LR)`, '--lr | - | -'],
    ['no comments', `# p.add_argument('--lr')\nx = 1`, ' | - | -'],
    [
      'click',
      `@click.option("--save-dir", "folder", default="runs")\n@click.argument("model", type=click.Choice(["a", "b"]))`,
      '--save-dir=runs model!=a | --save-dir | -',
    ],
    [
      'optparse of R',
      `make_option(c("-r", "--rate"), type = "double", default = 0.1),\nmake_option("--outdir", type = "character")`,
      '--rate=0.1 --outdir | --outdir | -',
    ],
    ['argparse of R', `parser$add_argument("--seed", type="integer", default=3L)`, '--seed=1 | - | -'],
    ['Julia', `@add_arg_table! s begin\n  "--out"\n  "--data_dir"\nend`, ' | --out | --data_dir'],
    ['a shell script', `while [ $# -gt 0 ]; do case $1 in --results-dir) d=$2 ;; esac; done`, ' | --results-dir | -'],
    ['Hydra', 'import hydra\n@hydra.main(config_name="c")', ' | hydra.run.dir= | -'],
    [
      'the trainer of Hugging Face',
      'parser = HfArgumentParser((ModelArguments, TrainingArguments))',
      ' | --output_dir | -',
    ],
    ['the environment', `folder = os.environ["QANAT_STORAGE_PATH"]`, ' | null | -'],
    [
      'the surest option',
      `a('--out')\nadd_argument('--out')\nadd_argument('--storage_path')`,
      '--out --storage_path | --storage_path | -',
    ],
    ['no file for a folder', `add_argument('--out', default='metrics.json')`, '--out=metrics.json | - | -'],
    ['no flag for a folder', `add_argument('--output', action='store_true')`, '--output? | - | -'],
    [
      'data',
      `add_argument('--data', default='data/')\nadd_argument('--dataset_path')`,
      '--data=data/ --dataset_path | - | --dataset_path',
    ],
  ])('%s', (_, text, expected) => {
    expect(told(text)).toBe(expected)
  })

  test('something, however broken its text is', () => {
    const pieces = fc.constantFrom(
      'add_argument(',
      '"',
      "'",
      '--lr',
      ',',
      'default=',
      '(',
      ')',
      '#',
      '\\',
      '\n',
      '=',
      'c(',
    )
    fc.assert(fc.property(fc.array(pieces), words => void readHead(words.join(''))))
  })
})

test.each([
  [`add_argument('--lr', default=0.1)\nadd_argument('--seed', default=0)\nadd_argument('--out')`, '--lr 0.1'],
  [`add_argument('--out', default='x')\nadd_argument('--lr')`, ''],
  [
    `add_argument('--train-set', required=True)\nadd_argument('model', choices=['a'])\nadd_argument('--lr', default=1)`,
    '--train-set TRAIN_SET a',
  ],
])('a script can be tried: %j', (text, expected) => {
  expect(exampleArguments(readHead(text), ['--out']).join(' ')).toBe(expected)
})

test.each([
  ['#!/usr/bin/env python3\n', 'python3'],
  ['#!/usr/bin/env -S python3 -u', 'python3 -u'],
  ['#!/bin/bash -e\n', 'bash -e'],
  ['#! /opt/R/bin/Rscript', '/opt/R/bin/Rscript'],
  ['import x', ''],
  ['', ''],
])('the shebang of %j names a command', (text, expected) => {
  expect(shebangCommand(text)).toBe(expected)
})

test.each([
  ['train.py', 'python3'],
  ['a/fit.R', 'Rscript'],
  ['fit.jl', 'julia'],
  ['Makefile', 'make -f'],
  ['train.constructor', ''],
  ['train', ''],
])('%s is usually run by %j', (script, expected) => {
  expect(usualCommand(script)).toBe(expected)
})
