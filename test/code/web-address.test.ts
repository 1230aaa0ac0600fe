import { expect, test } from 'vitest'
import { webAddress } from '../../src/code/project-repository.js'

test.each([
  ['https://github.com/ada/iris.git', 'https://github.com/ada/iris'],
  ['https://ada:password@example.org/iris', 'https://example.org/iris'],
  ['git@github.com:ada/iris.git', 'https://github.com/ada/iris'],
  ['ssh://git@example.org:2222/group/iris.git', 'https://example.org/group/iris'],
  ['/srv/git/iris.git', null],
  ['file:///srv/git/iris.git', null],
  ['../iris', null],
  ['', null],
])('the remote %s is on the web at %s, without a password', (remote, address) => {
  expect(webAddress(remote)).toBe(address)
})
