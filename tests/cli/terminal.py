#!/usr/bin/env python3
"""Run a command on a terminal of its own: terminal.py COLUMNS COMMAND...

Prints what the terminal received, standard output and standard error together, and exits as the
command does."""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    # The size is there before the program looks for it.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)
received = b""
while True:
    try:
        some = os.read(terminal, 65536)
    except OSError:  # how Linux says that the program has closed it
        break
    if not some:
        break
    received += some
sys.stdout.buffer.write(received.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
