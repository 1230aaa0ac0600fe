import { expect, test } from 'vitest'
import { reasonText } from '../../../src/runners/slurm/explain.js'

test.each([
  ['Resources', 'it waits for free nodes (Resources)'],
  ['QOSMaxJobsPerUserLimit', 'a limit of your account or quality of service is reached (QOSMaxJobsPerUserLimit)'],
  ['AssocGrpCpuLimit', 'a limit of your account or quality of service is reached (AssocGrpCpuLimit)'],
  [
    'ReqNodeNotAvail, UnavailableNodes:n[1-2]',
    'the nodes that it asks for are down or reserved (ReqNodeNotAvail, UnavailableNodes:n[1-2])',
  ],
  ['SomethingNew', 'SomethingNew'],
])('the reason %s is explained in plain words', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})
