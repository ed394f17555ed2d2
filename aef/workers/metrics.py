"""Figures of the service for Prometheus. Their labels are words of our own: no client, no ruling, no path."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from aef.workers.states import QUEUED, RUNNING, is_interactive

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


class Metrics:
    """Counters that are kept, and gauges that are asked for when they are looked at."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.accepted = Counter("aef_rulings_accepted", "Rulings accepted", ["priority"], registry=registry)
        self.refused = Counter("aef_rulings_refused", "Rulings not accepted", ["reason"], registry=registry)
        self.ended = Counter("aef_rulings_ended", "Rulings ended", ["outcome"], registry=registry)
        self.restarts = Counter("aef_worker_restarts", "Workers that died or were stopped", ["why"], registry=registry)
        self.requests = Counter("aef_requests", "Requests answered", ["method", "route", "status"], registry=registry)
        self.work = Histogram("aef_ruling_seconds", "Time in a worker", registry=registry, buckets=_SECONDS)
        self.request = Histogram(
            "aef_request_seconds", "Time of requests", ["route"], registry=registry, buckets=_SECONDS
        )

    def watch(self, counts: Callable[[], dict[tuple[str, int], int]], oldest: Callable[[], float],
              workers: Callable[[], int]) -> None:  # fmt: skip
        """What the gauges ask."""
        self._registry.register(_Gauges(counts, oldest, workers))

    def text(self) -> bytes:
        return bytes(generate_latest(self._registry))


class _Gauges(Collector):
    def __init__(
        self, counts: Callable[[], dict[tuple[str, int], int]], oldest: Callable[[], float], workers: Callable[[], int]
    ) -> None:
        self._counts, self._oldest, self._workers = counts, oldest, workers

    def describe(self) -> Iterator[Metric]:
        return iter(())  # else it is asked when it is registered

    def collect(self) -> Iterator[Metric]:
        rulings = GaugeMetricFamily("aef_rulings", "Rulings queued and running", labels=["state", "priority"])
        counts = self._counts()
        for state in (QUEUED, RUNNING):
            for interactive, name in ((False, "batch"), (True, "interactive")):
                number = sum(n for (s, p), n in counts.items() if s == state and is_interactive(p) == interactive)
                rulings.add_metric([state, name], number)
        yield rulings
        yield GaugeMetricFamily("aef_queue_oldest_seconds", "Wait of the first in the queue", self._oldest())
        yield GaugeMetricFamily("aef_workers_ready", "Workers that are ready or at work", self._workers())
