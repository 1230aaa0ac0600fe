import { expect, test } from 'vitest'
import { kubectlError } from '../../../src/domain/pods/refusals.js'

const note = `E1128 22:25:39.599747   10317 memcache.go:265] "Unhandled Error" err="couldn't get current server API group list"`

/** What kubectl 1.36 prints, the words that are told of it, and what to type then. */
test.each([
  [
    'a context that is gone',
    'error: context "nope" does not exist\n',
    'context "nope" does not exist',
    'kubectl config get-contexts',
  ],
  [
    'a login that has expired',
    `${note}\nerror: You must be logged in to the server (the server has asked for the client to provide credentials)\n`,
    'You must be logged in to the server (the server has asked for the client to provide credentials)',
    'log in as your cluster asks',
  ],
  [
    'the same to a simple question',
    'error: You must be logged in to the server (Unauthorized)\n',
    'You must be logged in to the server (Unauthorized)',
    'log in as your cluster asks',
  ],
  [
    'a program for the login that fails',
    `ERROR: Reauthentication required.\nPlease run: gcloud auth login\n${note}\nUnable to connect to the server: getting credentials: exec: executable gke-gcloud-auth-plugin failed with exit code 1\n`,
    'Unable to connect to the server: getting credentials: exec: executable gke-gcloud-auth-plugin failed with exit code 1',
    'log in as your cluster asks',
  ],
  [
    'one that is not there',
    'Unable to connect to the server: getting credentials: exec: executable aws not found\n\nIt looks like you are trying to use a client-go credential plugin that is not installed.\n\nTo learn more about this feature, consult the documentation available at:\n      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins\n',
    'Unable to connect to the server: getting credentials: exec: executable aws not found',
    'install it',
  ],
  [
    'a kubeconfig that cannot be read',
    "error: error loading config file \"/k\": yaml: line 3: did not find expected ',' or '}'\n",
    "error loading config file \"/k\": yaml: line 3: did not find expected ',' or '}'",
    'correct that file',
  ],
  [
    'an API server that is away',
    `${note}\nThe connection to the server 127.0.0.1:16440 was refused - did you specify the right host or port?\n`,
    'The connection to the server 127.0.0.1:16440 was refused - did you specify the right host or port?',
    'kubectl cluster-info',
  ],
  [
    'a namespace that is going away',
    'Error from server (Forbidden): error when creating "STDIN": pods "x" is forbidden: unable to create new content in namespace going because it is being terminated\n',
    'Error from server (Forbidden): error when creating "STDIN": pods "x" is forbidden: unable to create new content in namespace going because it is being terminated',
    'choose another one',
  ],
  [
    'a right that is missing',
    'Error from server (Forbidden): jobs.batch is forbidden: User "researcher" cannot list resource "jobs" in API group "batch" in the namespace "going"\n',
    'Error from server (Forbidden): jobs.batch is forbidden: User "researcher" cannot list resource "jobs" in API group "batch" in the namespace "going"',
    'qanat context test',
  ],
  ['silence', '', 'exit 1', 'try again'],
])('%s', (_, stderr, words, advice) => {
  const { message, hint } = kubectlError({ ending: 'exit', stderr, exitCode: 1 })
  expect([message, hint]).toEqual([`kubectl: ${words}`, expect.stringContaining(advice)])
})

test.each([
  ['missing', 'kubectl is not in the PATH'],
  ['timeout', 'kubectl has not answered in time'],
])('a call that is %s', (ending, message) => {
  expect(kubectlError({ ending, stderr: '', exitCode: null }).message).toBe(message)
})
