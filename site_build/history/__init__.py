"""Releases: hashes that pin claims, and what changed from one state to another."""

from site_build.history.changes import Change, ChangeKind, changes, claim_change
from site_build.history.digest import SHORT, claim_hash

__all__ = ["SHORT", "Change", "ChangeKind", "changes", "claim_change", "claim_hash"]
