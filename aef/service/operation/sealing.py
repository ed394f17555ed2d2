"""A new key for what lies sealed: all of it is opened with the old one and sealed with the new one, or nothing is."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select, update

from aef.corpus_tools.files import must_be_new, write_atomic
from aef.errors import InputError
from aef.workers.database import CONTENTS, SERVICE, Database
from aef.workers.settings import Settings
from aef.workers.vault import Unsealable, Vault, new_key


def reseal(settings: Settings, new: Path) -> int:
    """Seal everything with a new key, which is written to a file of its owner's; how many contents there were.

    The service must not run. What was sealed under the old key leaves the database's files, too. Raises `InputError`
    where something does not open with the old key, and changes nothing then. Idempotency keys from before are not known
    any more.
    """
    must_be_new([new])
    old = Vault.found(settings.data, settings.key_file)
    if old is None:
        raise InputError("there is no sealing key yet, and nothing to seal anew. Start the service first")
    write_atomic(new, new_key(), private=True)
    database = Database(settings.url)
    try:
        number = _resealed(database, old, Vault.load(settings.data, new))
        database.scrub()
        return number
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    finally:
        database.close()


def _resealed(database: Database, old: Vault, new: Vault) -> int:
    number = 0
    with database.writing() as connection:
        if connection.execute(select(SERVICE.c.key_check)).scalars().all() != [old.check]:
            raise InputError("the queue was made with another key than this one. Give that key (--queue-key)")
        for ruling, kind in connection.execute(select(CONTENTS.c.ruling, CONTENTS.c.kind)).all():
            where = (CONTENTS.c.ruling == ruling) & (CONTENTS.c.kind == kind)
            sealed = connection.execute(select(CONTENTS.c.sealed).where(where)).scalar_one()
            try:
                content = old.opened(sealed, f"{ruling} {kind}")
            except Unsealable as error:
                raise InputError(f"ruling {ruling}: does not open with the old key. Erase it first") from error
            connection.execute(update(CONTENTS).where(where).values(sealed=new.sealed(content, f"{ruling} {kind}")))
            number += 1
        connection.execute(update(SERVICE).values(key_check=new.check))
    return number
