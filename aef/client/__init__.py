"""A client of the service: rulings handed in, waited for and fetched, with types; see `aef.service` for its answers.

    from aef.client import Client

    with Client("https://aef.court.example", key) as court:
        safe = court.anonymize("ruling.docx")                     # waits
        ruling = court.hand_in("other.docx", scheme="letters")    # does not
        for ended in court.events():                              # nobody polls
            if ended.state == "done":
                content = court.result(ended.id)

What is refused for a moment (429, 503, a connection that broke) is sent again, a ruling under one idempotency key, so
that it is taken in once. Needs ``pip install 'aef-anonymizer[client]'``.
"""

from aef.client.rulings import Client, Event, Refused, Ruling

__all__ = ["Client", "Event", "Refused", "Ruling"]
