"""Fleet scheduling: which cluster serves a session, who stands in, and what a class of requests may spend."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from hashlib import sha256

from k3core.guards import InputError, as_count


def ring_hash(text: str) -> int:
    """Place a text on the ring: the first 8 bytes of its SHA-256, most significant first.

    Source: this model's choice, as in `Ring`; the report gives the policy.
    """
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


class Ring:
    """Consistent hashing with a primary and a secondary cluster for every session.

    Each cluster owns several points of a circle. A session belongs to the cluster of the first point beyond its own
    hash; its secondary is the next point's cluster that is another one. Taking a cluster away sends each of its
    sessions to that secondary and moves nobody else.

    Source: report §5.4.3, which gives the policy. The hash, the number of points and the tie rule are this model's.
    Not claimed: the production ring, or that a secondary is warm; it prefills anew.
    """

    def __init__(self, clusters: Sequence[str], points: int = 64) -> None:
        """Place `points` points for each cluster.

        Raises:
            InputError: fewer than two clusters, a name twice, or no points.
        """
        if len(clusters) < 2 or len(set(clusters)) != len(clusters):
            raise InputError("clusters", "two or more different names", repr(list(clusters)))
        as_count("points", points, low=1)
        self.clusters = tuple(clusters)
        self._points = sorted((ring_hash(f"{c}#{i}"), c) for c in clusters for i in range(points))
        self._hashes = [place for place, _ in self._points]

    def assign(self, session: str) -> tuple[str, str]:
        """Return a session's primary and secondary cluster, by binary search."""
        start = bisect_right(self._hashes, ring_hash(session)) % len(self._points)
        primary = self._points[start][1]
        step = start
        while self._points[step][1] == primary:
            step = (step + 1) % len(self._points)
        return primary, self._points[step][1]

    def assign_by_scan(self, session: str) -> tuple[str, str]:
        """Return the same by walking the whole circle from the session's place: the slow truth."""
        here = ring_hash(session)
        beyond = [c for place, c in self._points if place > here]
        circle = beyond + [c for place, c in self._points if place <= here]
        return circle[0], next(c for c in circle if c != circle[0])

    def without(self, cluster: str) -> "Ring":
        """Return the ring with one cluster taken away, the others' points unmoved.

        Raises:
            InputError: the cluster is not on the ring, or too few would be left.
        """
        if cluster not in self.clusters:
            raise InputError("cluster", f"one of {', '.join(self.clusters)}", repr(cluster))
        rest = [c for c in self.clusters if c != cluster]
        return Ring(rest, len(self._points) // len(self.clusters))


class Admission:
    """Budget-based admission: each class of requests has tokens of its own and can never borrow.

    The estimated cost is charged when a request is admitted and given back when it ends, so that what is charged is
    always the estimate of what runs.

    Source: report §5.4.3, which gives the policy. Not claimed: the production budgets, of which none is published,
    or how costs are estimated.
    """

    def __init__(self, budgets: Mapping[str, int]) -> None:
        """Give each class its tokens.

        Raises:
            InputError: no class, or a budget that is not a whole number of at least 0.
        """
        if not budgets:
            raise InputError("budgets", "at least one class", "none")
        self.budgets = {name: as_count(f"budgets[{name}]", tokens) for name, tokens in budgets.items()}
        self._running: dict[str, tuple[str, int]] = {}

    def admit(self, request: str, kind: str, estimate: int) -> bool:
        """Charge a request to its class and say yes, or change nothing and say no.

        Raises:
            InputError: the class is unknown, the estimate is not a whole number of at least 1, or the request runs.
        """
        if kind not in self.budgets:
            raise InputError("kind", f"one of {', '.join(self.budgets)}", repr(kind))
        if request in self._running:
            raise InputError("request", "one that is not running", repr(request))
        cost = as_count("estimate", estimate, low=1)
        if cost > self.free(kind):
            return False
        self._running[request] = (kind, cost)
        return True

    def complete(self, request: str) -> int:
        """End a request and return the tokens given back to its class.

        Raises:
            InputError: the request does not run.
        """
        if request not in self._running:
            raise InputError("request", "one that is running", repr(request))
        return self._running.pop(request)[1]

    def free(self, kind: str) -> int:
        """Tokens that a class may still spend; never negative.

        Raises:
            InputError: the class is unknown.
        """
        if kind not in self.budgets:
            raise InputError("kind", f"one of {', '.join(self.budgets)}", repr(kind))
        return self.budgets[kind] - sum(cost for running, cost in self._running.values() if running == kind)


def miss_cost_ratio(*, prefix_tokens: int, increment_tokens: int) -> float:
    """How many times more tokens a request prefills without its cached prefix than with it.

    101 for the report's typical coding request of 400K prefix and 4K increment.

    Raises:
        InputError: a count is not whole, or the increment is below 1.
    Source: report §5.4.3. Exact in tokens. Not claimed: time or money, of which attention over a long prefix takes
    more than its share of tokens.
    """
    prefix = as_count("prefix_tokens", prefix_tokens)
    increment = as_count("increment_tokens", increment_tokens, low=1)
    return (prefix + increment) / increment
