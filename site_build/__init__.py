"""A static site generator for research ledgers; `site_build.cli` is its door for people, `site_build.plugin` for MkDocs."""
