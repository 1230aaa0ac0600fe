import { expect, test } from 'vitest'
import { rowsOf } from '../../cases.js'
import { jobOf, judge, judgementText, knownOf, recordOf } from './witnesses.js'

// A group by its journal, the queue and what is stored of it (`cancel`: somebody has cancelled its attempt), what it is then,
// and why. What the queue and the journal mean together is tested as a whole in verdicts.test.ts.
test.each(
  rowsOf(`
    # it is live
                | running          | pending           | running 900– s1                | it runs where the queue says
    start       | running          | pending           | running 1000– n1               | it runs as it recorded itself
    start       |                  | pending           | running 1000– n1               | its start needs no answer
    start       |                  | running since 900 | running 1000– n1               | its journal is more exact
    start       |                  | held              | held                           | it stays held, no answer
    start       | suspended        | pending           | running suspended 1000– n1     | the queue suspends it
    start       | running          | suspended         | running 1000– n1               | it goes on
    start       |                  | suspended         | running suspended 1000– n1     | without an answer it stays so

    # its journal tells the end
    exit 0      |                  | pending           | finished 0 1000–2000 n1, open  | the queue may object
    exit 3      |                  | pending           | failed exit 3 1000–2000 n1, open | it has failed at once
    launch 1    |                  | pending           | failed launch 1 1000–2000 n1, open | its script never began
    exit 0      |                  | finished, waits   | finished 0 1000–2000 n1, waits | the grace goes on
    exit 0      |                  | finished, waited  | finished 0 1000–2000 n1        | the grace is over
    exit 0      | running          | finished, waited  | finished 0 1000–2000 n1        | it is over, whatever lags
    exit 0      | finished         | finished, waits   | finished 0 1000–2000 n1        | the answer settles it
    exit 3      | exit 1           | pending           | failed exit 3 1000–2000 n1     | it knows its own code
    exit 0      | cancelled        | pending           | finished 0 1000–2000 n1        | it was cancelled too late
    exit 3      | finished         | pending           | failed exit 3 1000–2000 n1     | a scheduler may miss a code
    exit 0      | timeout          | pending           | finished 0 1000–2000 n1        | it was ended too late
    exit 0      | timeout at 1999  | pending           | failed timeout 0 1000–2000 n1  | the limit came first
    exit 0      | timeout at ?     | pending           | failed timeout 0 1000–2000 n1  | nobody knows what came first
    exit 0      | oom 9            | pending           | failed oom 0 1000–2000 n1      | its memory counts more
    exit 0      | node_fail 9      | finished, waits   | failed node_fail 0 1000–2000 n1 | its node failed
    exit 0      | preempted 9      | finished, waits   | failed preempted 0 1000–2000 n1 | it was preempted
    exit 0      | deadline 9       | finished, waits   | failed deadline 0 1000–2000 n1 | its deadline passed
    exit 0      | launch 9         | finished, waits   | failed launch 0 1000–2000 n1   | the job could not begin

    # it was told to end
    stopped 143 |                  | running, cancel   | running 1000– n1               | it keeps its state, no answer
    stopped 143 | pending          | running           | pending                        | it may have been requeued
    exit 143    | pending          | pending           | pending                        | its script may die first
    stopped 143 | cancelled        | pending           | cancelled 1000–2000 n1         | the queue has cancelled it
    exit 143    | cancelled        | pending           | cancelled 1000–2000 n1         | its script may die first
    exit 143    | timeout          | pending           | failed timeout 143 1000–2000 n1 | it reached its limit
    stopped 143 | exit             | pending, cancel   | cancelled 1000–2000 n1         | somebody asked for it
    stopped 143 | exit             | pending           | failed signal SIGTERM 143 1000–2000 n1 | nobody asked for it
    stopped 143 | gone             | pending, cancel   | cancelled 1000–2000 n1, open   | it is gone as asked for
    stopped 143 | gone             | running, waits    | running 1000– n1, waits        | it may be on its way
    stopped 143 | gone             | running, waited   | failed signal SIGTERM 143 1000–2000 n1 | it stays gone

    # the queue ends its processes
    start       | completing       | pending           | running 1000– n1               | its end is not recorded yet
                | completing       | pending           | pending                        | its start is not recorded
    exit 0      | completing       | finished          | finished 0 1000–2000 n1        | the queue cleans for long
    stopped 143 | completing       | running, cancel   | cancelled 1000–2000 n1, open   | it was told as asked for
    stopped 143 | completing       | running, waits    | running 1000– n1, waits        | the queue has not said why yet
    start       | completing#1     | running           | running 1000– n1               | the earlier start runs
    start#1     | completing#2     | running#1         | running#1 1000– n1             | the second start runs
    stopped 143 | completing#1     | running           | pending#1                      | an earlier start has ended
    exit 0      | completing#1     | finished          | pending#1                      | an earlier start has finished
    exit 0      | completing#2     | running#1         | pending#2                      | its next start never began
    start       | completing#2     | pending#1         | pending#1                      | that start was killed

    # only the queue tells the end
                | finished         | pending           | finished 0 900–2100 s1, open   | a record may be on its way
                | finished         | finished, waited  | finished 0 1000–2100 n1        | no record came
    start       | exit 123         | running           | running 1000– n1, open         | another job has taken it
    exit 3      | exit 123         | pending           | failed exit 3 1000–2000 n1, open | it ended all the same
                | cancelled        | pending           | cancelled 900–2100 s1          | it is cancelled
    start       | cancelled at 500 | pending           | cancelled 1000–1000 n1         | no end comes before the start
                | exit 3           | pending           | failed exit 3 900–2100 s1, open | it has failed
                | exit 3           | failed, waited    | failed exit 3 1000–2100 n1     | it has failed for good
    start       | exit 3           | pending           | failed exit 3 1000–2100 n1, open | its journal knows the start
                | exit 125         | pending           | failed launch 125 900–2100 s1, open | it could not be launched
                | signal 125       | pending           | failed signal SIGKILL 125 900–2100 s1, open | it was killed
                | signal 0         | failed, waited    | failed signal SIGKILL 1000–2100 n1 | Slurm has 0 beside it
                | timeout          | pending           | failed timeout 0 900–2100 s1, open | it reached its limit
                | oom              | pending           | failed oom 0 900–2100 s1       | it ran out of memory

    # the queue has forgotten it
                | gone             | pending           | pending, open                  | the queue may lag
                | gone             | pending, waited   | lost never_started –           | it is lost
    start       | gone             | pending           | running 1000– n1, open         | it has just begun
                | gone             | running, waited   | lost vanished 1000– n1         | it has vanished
                | gone             | pending, waited, cancel | cancelled –              | it was cancelled
    start       | gone             | running, waited, cancel | cancelled 1000– n1       | it was cancelled as it ran
                | gone             | failed, waits     | failed exit 3 1000–2000 n1, waits | it has told its end before
                | gone             | failed, waited    | failed exit 3 1000–2000 n1     | it has told it for good
                | pending          | pending, waited   | pending                        | the queue knows it again

    # the queue only has other groups of its submission
                | removed          | pending           | cancelled –, open              | it was removed as it waited
                | removed          | held              | cancelled –, open              | it was removed as it was held
                | removed          | removed, waited   | cancelled –                    | it tells of no start
    exit 3      | removed          | removed, waits    | failed exit 3 1000–2000 n1, waits | it tells its end later
                | removed          | running           | running 1000– n1, open         | it was seen to run
                | removed          | failed, waits     | failed exit 3 1000–2000 n1, waits | it has told its end before

    # it was requeued
    exit 0      | pending#1        | pending           | pending#1                      | an earlier start has ended
    exit 0      | pending#1        | finished          | pending#1                      | even if that was settled
    exit 0#1    | running#1        | finished, waited  | finished#1 0 1000–2000 n1, open | its later end waits anew
    exit 0      | running#1        | finished, waits   | running#1 900– s1              | it runs again
    start#1     | running#1        | finished, waits   | running#1 1000– n1             | its later start is recorded
                | pending#1        | running           | pending#1                      | it has no record
    exit 0      |                  | pending#1         | pending#1                      | that start was an earlier one
    exit 3#1    | exit             | running#1         | failed#1 exit 3 1000–2000 n1   | its later start has ended
    exit 0      | gone             | pending#1, waited | lost#1 never_started –         | its later start never began

    # its end is settled
                | running          | finished          | finished 0 1000–2000 n1        | the queue cannot change that
    exit 3      | oom              | finished          | finished 0 1000–2000 n1        | nor can any witness
                | gone             | lost              | lost vanished 1000– n1         | it stays lost when it is gone
    start       |                  | lost              | lost vanished 1000– n1         | it stays lost, no answer
    start       | gone             | lost              | lost vanished 1000– n1         | its start was known before
                | running          | lost              | running 900– s1                | the queue finds it
                | finished         | lost              | finished 0 1000–2100 n1, open  | accounting finds it
    exit 0      | gone             | lost              | finished 0 1000–2000 n1, open  | its record finds it
    start       | gone             | never started     | running 1000– n1, open         | its late start finds it
    stopped 143 | gone             | lost              | failed signal SIGTERM 143 1000–2000 n1, open | so does this
  `).filter(cells => cells.length > 1),
)('journal %j, queue %j, stored %j: %s, as %s', (journal, queue, stored, expected) => {
  const witnesses = { record: recordOf(journal!), job: jobOf(queue!), known: knownOf(stored!) }
  expect(judgementText(judge({ ...witnesses, cancelled: stored!.endsWith(', cancel') }))).toBe(expected)
})
