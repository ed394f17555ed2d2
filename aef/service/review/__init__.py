"""The editor's page within the service: signed in with the service's keys, sessions sealed as rulings are.

It is the page of `aef.editing.web`, mounted; rulings are read and decided in a process of their own.
"""
