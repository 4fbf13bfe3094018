"""A claim's hash: the same for the same claim, whoever computes it."""

import hashlib
import json

from site_build.model import ReleasedClaim

SHORT = 8
"""Hex digits of a hash as people write it: `Q04.c2@3f9a2c1e`."""


def canonical(reference: str, claim: ReleasedClaim) -> bytes:
    """A claim as canonical JSON (RFC 8785): sorted keys, no white space, UTF-8; it holds no numbers.

    A reason for withdrawal stays out: what was said does not change by being withdrawn.
    """
    data = {"id": reference, **claim.model_dump(mode="json", exclude={"withdrawn"})}
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def claim_hash(reference: str, claim: ReleasedClaim) -> str:
    """SHA-256 of a claim's canonical JSON, as 64 hex digits."""
    return hashlib.sha256(canonical(reference, claim)).hexdigest()
