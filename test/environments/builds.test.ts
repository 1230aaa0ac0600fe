import { expect, test } from 'vitest'
import { gate, inShell, tryGrid, tryKind } from './kind.js'

const edit = (file: string) => `sed -i 's/1/2/' ${file}; git commit -qam 2`

const kinds = [
  {
    name: 'cargo',
    files: {
      'Cargo.toml': '[package]\nname = "sim"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/main.rs': 'fn main() { println!("{}", 1) }\n',
      'run.sh': `${gate}exec cargo run --quiet --release\n`,
      '.gitignore': '/target\n/results\n',
    },
    make: 'cargo build --quiet --release',
    edit: `${edit('src/main.rs')}; cargo build --quiet --release`,
    program: 'target/release/sim',
  },
  {
    name: 'make',
    files: {
      Makefile: 'build/sim: sim.c\n\tmkdir -p build && cc -o $@ $<\n',
      'sim.c': '#include <stdio.h>\nint main(void) { printf("%d\\n", 1); return 0; }\n',
      'run.sh': `${gate}make -s && exec build/sim\n`,
      '.gitignore': '/build\n/results\n',
    },
    make: 'make -s',
    edit: `${edit('sim.c')}; make -s`,
    program: 'build/sim',
  },
  {
    name: 'make with a program beside its source',
    files: {
      Makefile: 'sim: sim.c\n\tcc -o $@ $<\n',
      'sim.c': '#include <stdio.h>\nint main(void) { printf("%d\\n", 1); return 0; }\n',
      'run.sh': `${gate}exec ./sim\n`,
      '.gitignore': '/sim\n/results\n',
    },
    make: 'make -s',
    edit: `${edit('sim.c')}; make -s`,
    program: './sim',
  },
]

test.each(kinds)('$name: a grid builds and runs its own commit, and the tree keeps what it built', async kind => {
  const tried = await tryKind({ ...kind, command: 'sh', script: 'run.sh' })
  expect(tried).toMatchObject({ printed: ['1', '1', '1'], said: '', kept: [], changed: [] })
  const { project } = tried
  await inShell(project, `test "$(${kind.program})" = 2`)
  const later = await tryGrid(project, tried.outside, ':')
  expect(later).toMatchObject({ printed: ['2', '2', '2'], said: '', changed: [] })
})

test.each(kinds.slice(0, 2))(
  '$name: a rerun builds the earlier commit anew, and no run in the tree finds that',
  async kind => {
    const { project } = await tryKind({ ...kind, command: 'sh', script: 'run.sh' })
    await inShell(
      project,
      `touch .qanat/gate_go; qanat cache clean; qanat rerun -q 1; qanat run -q it; test "$(${kind.program})" = 2`,
    )
    expect(['2/group_0', '3'].map(run => project.read(`results/it/run_${run}/stdout.txt`))).toEqual(['1\n', '2\n'])
  },
)
