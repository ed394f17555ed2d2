"""What a name is made of: titles, given names, surnames; whether two names are one person's; a name's forms."""
