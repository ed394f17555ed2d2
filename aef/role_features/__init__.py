"""What a person of a ruling shows: contextual predicates of the names and of all that stands around the mentions.

A feature is a small decorated function, of one mention (`of_mentions`, `of_lines`), of a person with all mentions
(`of_persons`), or of who else is named (`of_others`); `aef features --of roles` lists them. Its predicates have a
value: the root of the share of the mentions that show one, or 1 for what the person shows as a whole. No predicate
holds a word of a name: words with a capital count only where they are ordinary words, too.
"""

from aef.role_features import of_lines, of_mentions, of_others, of_persons
from aef.role_features.registry import FEATURES, RoleFeature, predicates
from aef.role_features.view import Named, People, Somebody

__all__ = [
    "FEATURES",
    "Named",
    "People",
    "RoleFeature",
    "Somebody",
    "of_lines",
    "of_mentions",
    "of_others",
    "of_persons",
    "predicates",
]
