"""Traces at a collector of OpenTelemetry: a ruling's and its requests', and no word of the ruling or its client."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the extra tracing is not installed")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from aef.benchmarks.served import start
from aef.commands import main

SECRETS = (b"Quistgaard", b"Zebulon", b"Osei", b"registry")
TEXT = (
    b"Between: Mr. Zebulon Quistgaard, Plaintiff, and Ms. Tilda Osei, Defendant.\n\n1. Mr. Quistgaard paid nothing.\n"
)
PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a collector, and what was sent to it."""
    sent: list[bytes] = []

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent.append(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Takes)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/traces", sent
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def spans(sent: list[bytes]) -> list[Span]:
    requests = [ExportTraceServiceRequest.FromString(body) for body in sent]
    return [
        span for each in requests for resource in each.resource_spans for s in resource.scope_spans for span in s.spans
    ]


@pytest.mark.slow
def test_a_ruling_is_followed_from_its_request_to_its_end(tmp_path: Path) -> None:
    with collector() as (address, sent):
        server = start(tmp_path, "--workers", "1", "--reserved", "0", "--traces", address)
        with server.another("registry", "submit,read") as client:
            header = {"traceparent": f"00-{'-'.join(PARENT)}-01"}
            files = {"file": ("Zebulon Quistgaard.txt", TEXT)}
            ruling = client.post("/v1/rulings", files=files, headers=header).json()["id"]
            assert client.get(f"/v1/rulings/{ruling}", params={"wait": 60}).json()["state"] == "done"
            client.get("/v1/rulings/x", headers={"traceparent": "00-Zebulon-Quistgaard-01"})
        assert server.stop() == 0
    found = {span.name: span for span in spans(sent)}
    handed_in, whole = found["POST /v1/rulings"], found["ruling"]
    assert (handed_in.trace_id.hex(), handed_in.parent_span_id.hex()) == PARENT, "part of the client's trace"
    assert [link.trace_id.hex() for link in handed_in.links] == [ruling] == [whole.trace_id.hex()]
    parts = [found["wait"], found["work"]]
    assert {(part.trace_id, part.parent_span_id) for part in parts} == {(whole.trace_id, whole.span_id)}
    assert whole.start_time_unix_nano < whole.end_time_unix_nano
    lasted = [span.end_time_unix_nano - span.start_time_unix_nano for span in (whole, *parts)]
    assert abs(lasted[0] - sum(lasted[1:])) < 1e6, "a ruling waits, then it is worked on"
    asked = found["GET /v1/rulings/{ruling}"]
    assert {a.key: a.value.int_value for a in asked.attributes}["http.response.status_code"] in (200, 404)
    assert not [word for word in SECRETS if any(word in body for body in sent)]


@pytest.mark.slow
def test_without_a_collector_the_service_goes_on(tmp_path: Path) -> None:
    server = start(tmp_path, "--workers", "1", "--reserved", "0", "--traces", "http://127.0.0.1:1/v1/traces")
    with server.client() as client:
        assert client.post("/v1/anonymize", files={"file": ("a.txt", TEXT)}).status_code == 200
    assert server.stop() == 0
    assert b"Quistgaard" not in server.log.read_bytes()


@pytest.mark.parametrize("address", ["collector:4318", "ftp://collector/", "http:///v1", "http://a b/"])
def test_what_is_no_address_is_told(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--data", str(tmp_path / "data"), "--traces", address]) == 2
    assert "--traces" in capsys.readouterr().err and not (tmp_path / "data").exists()
