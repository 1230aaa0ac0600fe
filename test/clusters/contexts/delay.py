"""Runs a command whose input and output arrive later, as over a long way: delay.py SECONDS COMMAND..."""

import os
import queue
import subprocess
import sys
import threading
import time

delay = float(sys.argv[1])
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def carry(source, target):
    """Passes pieces on once they are old enough."""
    pieces = queue.Queue()

    def read():
        while piece := os.read(source, 1 << 16):
            pieces.put((time.monotonic() + delay, piece))
        pieces.put((time.monotonic() + delay, b""))

    threading.Thread(target=read, daemon=True).start()
    while True:
        due, piece = pieces.get()
        time.sleep(max(0, due - time.monotonic()))
        if not piece:
            return os.close(target)
        while piece:
            piece = piece[os.write(target, piece) :]


back = threading.Thread(target=carry, args=(child.stdout.fileno(), 1), daemon=True)
back.start()
threading.Thread(target=carry, args=(0, child.stdin.fileno()), daemon=True).start()
back.join()
sys.exit(child.wait())
