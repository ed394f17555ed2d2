"""A service a court can run: rulings come in over HTTP, wait sealed in a queue, and go out anonymized.

``aef serve`` is one process that answers requests, keeps the queue and looks after worker processes. The workers get a
ruling over a pipe and give one back; they see neither the queue nor a key. A ruling is accepted once it is on the disk,
belongs to the client that sent it, and ends done or failed with a reason, whatever is killed meanwhile.

| module | what it does |
|---|---|
| `aef.workers.settings` | what the operator sets |
| `aef.workers.vault` | sealing at rest |
| `aef.workers.database`, `aef.workers.queue` | the queue in SQLite or PostgreSQL |
| `aef.service.keys` | API keys and rights |
| `aef.workers.frames`, `aef.workers.worker`, `aef.workers.pool` | worker processes and who looks after them |
| `aef.service.options`, `aef.service.bodies`, `aef.service.answers` | what a request may say, and what it is told |
| `aef.workers.waiting` | who waits for whom: workers for rulings, requests for theirs to end |
| `aef.service.desk` | what both interfaces do for a client |
| `aef.service.guard`, `aef.service.app`, `aef.service.rest`, `aef.service.saroj` | HTTP |
| `aef.workers.logs`, `aef.workers.metrics` | what the operator sees |
| `aef.service.server` | all of it started and stopped |
"""
