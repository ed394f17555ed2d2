"""Log-in by OpenID Connect beside API keys: people on the pages, programs with access tokens.

`aef.service.oidc.provider` knows the provider and believes its tokens, or does not; `aef.service.oidc.login` takes a
browser there and back (authorization code flow with PKCE). Needs the extra ``oidc``.
"""


class Refused(Exception):
    """A token or a code that is not to be believed. The reason is a word of our own, for the audit log."""


class Away(Exception):
    """The provider does not answer, or not as it should."""
