#!/usr/bin/env bash
# Ctrl-C: exit 130, soon, without a summary. A shell would start a background job with the signal
# ignored, so Python starts the program.
. "$(dirname "$0")/lib.sh"

cat >cancel.py <<'END'
import signal, subprocess, sys, time
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(0.7)
asked = time.monotonic()
run.send_signal(signal.SIGINT)
out, err = run.communicate(timeout=60)
print(run.returncode, err.decode().strip(), "late" if time.monotonic() - asked > 20 else "soon",
      "printed" if b"totals" in out else "silent")
END
checks=1
last="fracas scene wall --size 200000, then Ctrl-C"
got=$(python3 cancel.py "$program" scene wall --size 200000 --frames 1000 --json 2>&1)
[ "$got" = "130 fracas: cancelled soon silent" ] || fail "$last: '$got'"
finish
