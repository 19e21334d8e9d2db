"""A JupyterLab that ends with whoever started it: `python -m hpgov_jlab.sandbox.lab`, its standard input held open by the sandbox command.

A sandbox that is killed leaves no server behind: its end of the pipe closes, and this process asks itself to stop.
"""

from __future__ import annotations

import os
import signal
import threading


def _end_with_parent() -> None:
    while os.read(0, 1024):  # not sys.stdin: its buffer's lock, held by this thread, would break the end of the interpreter
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    threading.Thread(target=_end_with_parent, name="sandbox-parent", daemon=True).start()
    from jupyterlab.labapp import main as lab

    lab()


if __name__ == "__main__":
    main()
