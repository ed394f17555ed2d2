"""What stands in the place of what is hidden: plan, schemes, pseudonyms, the secret case file, restoration."""
