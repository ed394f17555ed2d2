"""The state of the service for its administrators: figures, and nothing of a ruling or a client."""

from __future__ import annotations

import time
from typing import Any

import aef
from aef.service.desk import Desk
from aef.workers.states import STATES

HOURS = 24
"""Of the throughput that is shown."""


def figures(desk: Desk) -> dict[str, Any]:
    """Plain values for the page. Times in seconds; ``ended``: of the last hours, how many were done and failed."""
    counts = desk.queue.counts()
    ended, reasons = desk.queue.ended(HOURS)
    return {
        "status": "stopping" if desk.stopping.is_set() else "draining" if desk.draining.is_set() else "open",
        "modules": {"queue": desk.watch.queue(), "disk": desk.watch.disk()},
        "states": {state: sum(n for (s, _), n in counts.items() if s == state) for state in STATES},
        "oldest": round(desk.queue.oldest(), 1),
        "workers": {"ready": desk.ready(), "of": desk.settings.workers + desk.settings.reserved},
        "ended": ended,
        "reasons": reasons,
        "versions": {"aef": aef.__version__, **desk.versions},
        "since": round(time.time() - desk.began),
    }
