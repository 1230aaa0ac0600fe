import { expect, test } from 'vitest'
import { reasonText } from '../../../src/runners/slurm/explain.js'

const limit = 'a limit of your account or quality of service is reached'
test.each([
  ['Resources', 'it waits for free nodes (Resources)'],
  ['QOSMaxJobsPerUserLimit', `${limit} (QOSMaxJobsPerUserLimit)`],
  ['AssocGrpCpuLimit', `${limit} (AssocGrpCpuLimit)`],
  ['ReqNodeNotAvail, n[1-2]', 'the nodes that it asks for are down or reserved (ReqNodeNotAvail, n[1-2])'],
  ['SomethingNew', 'SomethingNew'],
])('the reason %s is explained in plain words', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})
