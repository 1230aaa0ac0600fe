import { expect, test } from 'vitest'
import type { ListedAction } from '../../../src/domain/action-record.js'
import { actionsText } from '../../../src/views/runs/actions.js'
import { plain, terminal } from '../render/columns.js'

const called: ListedAction = {
  ...{ format: 1, id: '20261122T203000-00c0ffee', action: 'plot', experiment: 'it', document: null },
  runs: [{ id: 1, token: 'it', groups: null }],
  command: ['sh', '-u', 'plot.sh', '--title', 'six\n\x1bruns', '--format', 'png', '--storage_path', '/project/run_1'],
  script: { path: 'plot.sh', commit: 'c0ffee0', patch: null, content: null },
  ...{ user: 'ada', host: 'laptop', process: null, started: 0, finished: 1000, exitCode: 0, tree: null },
  inputs: { files: 0, bytes: 0, listed: [], complete: true },
  ...{ made: [], complete: true, shared: false, state: 'finished' },
}

test('a call of an action is listed with its arguments, on a terminal with as many of them as fit', () => {
  expect(actionsText(plain, [called], null)).toContain(`  --title 'six⏎\\x1bruns' --format png  plot.sh c0ffee0`)
  expect(actionsText(terminal(80), [called], null)).toContain(`  --title 'six⏎\\x1bruns' --…`)
})
