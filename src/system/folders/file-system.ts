import { constants, copyFileSync, existsSync, rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Types of Linux's file systems that are reached over a network, see statfs(2) and the sources of Linux, Lustre and GPFS. */
const network: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x517b, // SMB
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0x00c36400, // Ceph
  0x65735546, // FUSE, such as sshfs
  0x5346414f, // AFS
  0x01021997, // 9P
])

/** Whether a place is on a file system that is reached over a network. Of macOS this is not known: false. */
export function isOnNetwork(place: string): boolean {
  if (process.platform !== 'linux') return false
  return existsSync(place) ? network.has(statfsSync(place).type >>> 0) : isOnNetwork(dirname(place))
}

/** Whether a file can be copied to a place without copying its blocks. */
export function canReflink(file: string, place: string): boolean {
  try {
    copyFileSync(file, place, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    rmSync(place, { force: true })
  }
}
