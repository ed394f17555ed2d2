"""The editor's page: a thin skin over `aef.editing.Session`, for this machine only."""
