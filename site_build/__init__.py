"""A static site generator for research ledgers; `cli` is its door for people, `plugin` for MkDocs."""
