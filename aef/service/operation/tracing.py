"""OpenTelemetry: what the log tells of requests and rulings, sent as spans to a collector; nothing that is not in it.

A ruling's trace has the ruling's id, in which it is found: ``ruling`` from its arrival to its end, and in it ``wait``
and ``work``. A request is a trace of its own, or part of the client's (``traceparent``, W3C Trace Context), with a link
to the ruling that it was about. Names, files and clients are in no span, as they are in no line of the log.

Needs the extra ``tracing``. Without a collector that answers, spans are dropped, and the service goes on.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from secrets import randbits
from typing import Any

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

import aef
from aef.workers.states import DONE

_SAMPLED = TraceFlags(TraceFlags.SAMPLED)


class Traces:
    """Listens to a log (`aef.workers.logs.Log.listeners`), and sends to the collector at an address (OTLP, HTTP)."""

    def __init__(self, address: str) -> None:
        self._resource = Resource.create({"service.name": "aef", "service.version": aef.__version__})
        self._sends = BatchSpanProcessor(OTLPSpanExporter(address))

    def __call__(self, event: str, told: Mapping[str, Any]) -> None:
        if event == "request":
            self._request(told)
        elif event == "ruling_ended":
            self._ruling(told)

    def close(self) -> None:
        """Send what is left, within seconds."""
        self._sends.shutdown()  # type: ignore[no-untyped-call]

    def _request(self, told: Mapping[str, Any]) -> None:
        parent = _context(*told["trace"].split("-")[1:3]) if "trace" in told else None
        own = _context(f"{parent.trace_id if parent else randbits(128):032x}", f"{randbits(64):016x}")
        said = {"http.request.method": told["method"], "http.route": told["route"]}
        failed = told["status"] >= 500
        self._send(
            f"{told['method']} {told['route']}", own, parent, told["ms"] / 1000, failed, kind=SpanKind.SERVER,
            attributes={**said, "http.response.status_code": told["status"]},
            links=[Link(_of_ruling(told["ruling"]))] if "ruling" in told else [],
        )  # fmt: skip

    def _ruling(self, told: Mapping[str, Any]) -> None:
        whole, failed = _of_ruling(told["ruling"]), told["outcome"] != DONE
        outcome = {"aef.outcome": told.get("reason", told["outcome"])}
        waited, worked = told["waited"], told["seconds"]
        self._send("ruling", whole, None, waited + worked, failed, attributes=outcome)
        for name, seconds, before in (("wait", waited, worked), ("work", worked, 0.0)):
            own = _context(told["ruling"], f"{randbits(64):016x}")
            self._send(name, own, whole, seconds, failed and name == "work", before)

    def _send(
        self,
        name: str,
        own: SpanContext,
        parent: SpanContext | None,
        seconds: float,
        failed: bool,
        before: float = 0.0,
        **more: Any,
    ) -> None:
        """A span that ended just now, or so many seconds before."""
        end = time.time() - before
        status = Status(StatusCode.ERROR) if failed else Status()
        more |= {"start_time": round((end - seconds) * 1e9), "end_time": round(end * 1e9)}
        self._sends.on_end(ReadableSpan(name, own, parent, self._resource, status=status, **more))


def _of_ruling(ruling: str) -> SpanContext:
    """The span of a ruling as a whole, which whoever knows its id can name."""
    return _context(ruling, ruling[:16])


def _context(trace: str, span: str) -> SpanContext:
    """Of hexadecimal ids."""
    return SpanContext(int(trace, 16), int(span, 16), is_remote=False, trace_flags=_SAMPLED)
