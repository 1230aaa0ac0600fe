import { constants, copyFileSync, rmSync, statfsSync } from 'node:fs'

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

/** Whether a folder lies on a file system that is reached over a network. Of macOS this is not known: false. */
export function isOnNetwork(folder: string): boolean {
  return process.platform === 'linux' && network.has(statfsSync(folder).type >>> 0)
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
