import { Table } from './rows/table.js'

/** When each scheduler was last polled, by whichever program. */
export class PollTable extends Table {
  /**
   * Claims the next poll of a runner of a site. Call within a transaction.
   * @param age milliseconds for which an earlier answer is good enough
   * @returns false if another program has polled it within that time
   */
  claim(site: string, runner: string, now: number, age: number): boolean {
    const sql = `INSERT INTO polls VALUES (@site, @runner, @now)
      ON CONFLICT DO UPDATE SET asked = @now WHERE asked <= @now - @age OR asked > @now`
    return this.change(sql, { site, runner, now, age }) > 0
  }
}
