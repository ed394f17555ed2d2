"""Pages and files for readers: the error page, the explanation page, PSILENCE's JSON."""
