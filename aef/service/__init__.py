"""A service a court can run: rulings come in over HTTP, wait sealed in a queue, and go out anonymized.

``aef serve`` is one process that answers requests, keeps the queue and looks after worker processes. The workers get a
ruling over a pipe and give one back; they see neither the queue nor a key. A ruling is accepted once it is on the disk,
belongs to the client that sent it, and ends done or failed with a reason, whatever is killed meanwhile.

- A result is erased when `Limits.again` seconds have gone by since it arrived (`aef.service.delivery`: all of it was
  acknowledged, and the connection did not break). Until then it can be fetched again, and a request that is sent again
  under its idempotency key gets it again. DELETE erases at once; what is never delivered is erased after `Limits.keep`.
- A ruling fails with `worker_lost` where `Limits.attempts` workers were seen to die at it, each of them alone. Where
  all die together, the service is killed, or the database goes away, it is begun anew, `Limits.outages` times at most.
- A ruling at work lies in memory alone. A worker takes 250 MB, and up to 400 bytes for each byte of a ruling's text
  (measured on 104 KB: TXT 219, HTML 224, DOCX 307); what takes more than `Limits.memory` fails with `memory_limit`.
- ``/v1/live`` says that the process answers, ``/v1/ready`` (``/v1/health``, ``/checkHealth``) whether rulings are taken
  in: queue, disk, workers. Both are answered from memory, also where there is no room for another connection. What
  needs the database waits `Limits.answer` seconds for it, and is 503 with ``Retry-After`` then.

| module | what it does |
|---|---|
| `aef.workers.settings` | what the operator sets |
| `aef.workers.vault` | sealing at rest |
| `aef.workers.database`, `aef.workers.queries`, `aef.workers.queue` | the queue in SQLite or PostgreSQL |
| `aef.workers.upkeep` | what is given back, and what is erased |
| `aef.workers.watch` | whether it takes rulings |
| `aef.workers.audit` | who did what, chained by hashes |
| `aef.workers.reviews`, `aef.service.review` | rulings that an editor goes through, and the pages |
| `aef.service.operation` | settings checked, copies, a new sealing key |
| `aef.service.keys`, `aef.service.private` | API keys and rights, and files that are nobody else's |
| `aef.workers.frames`, `aef.workers.worker`, `aef.workers.pool` | worker processes and who looks after them |
| `aef.service.options`, `aef.service.bodies`, `aef.service.answers` | what a request may say, and what it is told |
| `aef.workers.waiting` | who waits for whom: workers for rulings, requests for theirs to end, clients for turns |
| `aef.service.desk` | what both interfaces do for a client |
| `aef.service.connections`, `aef.service.guard`, `aef.service.app`, `aef.service.rest`, `aef.service.saroj` | HTTP |
| `aef.service.delivery`, `aef.service.events` | results handed over, whole or not, and told of |
| `aef.workers.logs`, `aef.workers.metrics` | what the operator sees |
| `aef.service.server` | all of it started and stopped |
"""
