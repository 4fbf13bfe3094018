"""Post-training rules that fit in a few lines: effort budgets, verbosity, partial rollout, the distillation reward.

The policy loss itself is only cited by the report and is not modelled here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_count, as_float, has_shape, one_of

DOMAINS = ("general", "agentic")
"""What a token budget counts; see `budget_tokens`."""
PENALTY = -1.0
"""The reward of a trajectory that spends more than its budget."""


def budget_tokens(*, thinking: int, response: int, tool_arguments: int, domain: str) -> int:
    """Count T(y), the tokens an effort budget charges: thinking alone, or in agentic work all output.

    Raises:
        InputError: a count is not whole or negative, or the domain is unknown.
    Source: report §4.1.2. Exact: whole tokens.
    """
    parts = [
        as_count(name, value)
        for name, value in (("thinking", thinking), ("response", response), ("tool_arguments", tool_arguments))
    ]
    return sum(parts) if one_of("domain", domain, DOMAINS) == "agentic" else parts[0]


def effort_reward(task_reward: npt.ArrayLike, tokens: npt.ArrayLike, base: float, tau: float) -> Float:
    """Replace the reward by -1 where a trajectory spends more than tau times the cold-start model's tokens.

    Args:
        task_reward: (N,) the verifier's reward.
        tokens: (N,) T(y), whole tokens as `budget_tokens` counts them.
        base: b0(x), tokens the cold-start model spends on the prompt, above 0.
        tau: the budget in units of `base`, above 0; large for max effort, annealed for the others.

    Raises:
        InputError: shapes differ, or a number is out of range.
    Source: report §4.1.2. Exact: the override, which is strict; T = tau b0 keeps its reward. Not claimed: any value
    of tau, which the report does not give.
    """
    reward, spent = as_float("task_reward", task_reward, ndim=1), as_float("tokens", tokens, ndim=1)
    has_shape("tokens", spent, reward.shape)
    for name, value in (("base", base), ("tau", tau)):
        if not 0 < value < np.inf:
            raise InputError(name, "a finite number above 0", f"{value:g}")
    if np.any(spent < 0):
        raise InputError("tokens", "counts of at least 0", f"{spent.min():g}")
    return np.where(spent > tau * base, PENALTY, reward)


def compare_candidates(
    scores: tuple[float, float], tokens: tuple[int, int], reference_tokens: float, sigma: float
) -> str:
    """Decide between two candidates: one longer than sigma times the reference loses, else the higher score wins.

    Args:
        scores: the reward model's scores of the first and the second candidate.
        tokens: their output tokens.
        reference_tokens: l0, above 0.
        sigma: how many times l0 is allowed, above 0.

    Returns:
        `first`, `second` or `tie`. Where both are too long, or neither, the scores decide; the report leaves that open.

    Raises:
        InputError: a number is out of range.
    Source: report §4.1.2. Exact: the comparison, which is strict. Not claimed: values of sigma or l0.
    """
    for name, value in (("reference_tokens", reference_tokens), ("sigma", sigma)):
        if not 0 < value < np.inf:
            raise InputError(name, "a finite number above 0", f"{value:g}")
    first, second = as_float("scores", scores, ndim=1)
    lengths = [as_count("tokens", count) for count in tokens]
    too_long = [length > sigma * reference_tokens for length in lengths]
    if too_long[0] != too_long[1]:
        return "second" if too_long[0] else "first"
    if first == second:
        return "tie"
    return "first" if first > second else "second"


def mopd_reward(log_teacher: npt.ArrayLike, log_student: npt.ArrayLike, bound: float) -> Float:
    """Reward each token of the student's own rollout with the clipped log ratio teacher over student.

    Args:
        log_teacher: any shape, log-probabilities of the sampled tokens, at most 0; minus infinity is allowed and
            gives -bound.
        log_student: same shape, finite and at most 0: a token of probability zero cannot have been sampled.
        bound: R_max, above 0; the report does not give its value.

    Returns:
        Same shape, within -bound..bound. A constant: no gradient flows through it.

    Raises:
        InputError: shapes differ, or a log-probability is out of range.
    Source: report §4.1.3 eq.15. Exact: the clip.
    """
    teacher, student = np.asarray(log_teacher, dtype=np.float64), as_float("log_student", log_student)
    has_shape("log_teacher", teacher, student.shape)
    if not bound > 0:
        raise InputError("bound", "a number above 0", f"{bound:g}")
    for name, array in (("log_teacher", teacher), ("log_student", student)):
        if not np.all(array <= 0):
            raise InputError(name, "log-probabilities, at most 0", f"{np.max(array):g}")
    return np.clip(teacher - student, -bound, bound)


@dataclass(frozen=True)
class Iteration:
    """What one iteration of partial rollout did."""

    number: int
    """From 1; also the version of the policy that generated."""
    steps: int
    """Tokens each running trajectory could add before the pause."""
    finished: int
    """Trajectories that ended in this iteration."""
    paused: int
    """Trajectories cut short, to be resumed first next time."""
    prompts_complete: tuple[int, ...]
    """Prompts all of whose completions have ended so far."""


@dataclass(frozen=True)
class Rollout:
    """A whole run of partial rollout."""

    iterations: tuple[Iteration, ...]
    """In order."""
    segments: tuple[tuple[tuple[tuple[int, int], ...], ...], ...]
    """For each prompt and completion, (policy version, tokens) in the order of generation."""

    @property
    def most_iterations_spanned(self) -> int:
        """The largest number of policy versions in one trajectory."""
        return max(len(parts) for prompt in self.segments for parts in prompt)


Advance = Callable[[list[int], int], int]


def steps_by_order(remaining: list[int], threshold: int) -> int:
    """Steps until `threshold` of the running trajectories have ended, or all: an order statistic.

    Source: derived from report §4.1.2.
    """
    return sorted(remaining)[min(threshold, len(remaining)) - 1]


def steps_by_token(remaining: list[int], threshold: int) -> int:
    """Steps until `threshold` of the running trajectories have ended, or all, one token at a time: the slow truth.

    Source: derived from report §4.1.2.
    """
    left, steps = list(remaining), 0
    while sum(tokens <= 0 for tokens in left) < min(threshold, len(left)):
        left = [tokens - 1 for tokens in left]
        steps += 1
    return steps


def partial_rollout(
    durations: Sequence[Sequence[int]],
    *,
    fraction: float,
    prompts_per_iteration: int | None = None,
    advance: Advance = steps_by_order,
) -> Rollout:
    """Account for rollouts that pause when enough trajectories have ended.

    Every running trajectory adds one token a step. An iteration pauses once ceil(fraction * N * K) have ended; all
    that end at that step count. The next one resumes the paused first, then starts whole new prompts while N * K
    allows. A prompt may be trained on when all its K completions have ended.

    Args:
        durations: for each prompt, the tokens each of its K completions will take, at least 1.
        fraction: lambda, above 0 and at most 1.
        prompts_per_iteration: N; all prompts where not given.
        advance: how the steps of an iteration are found.

    Raises:
        InputError: a number is out of range, or prompts have different numbers of completions.
    Source: report §4.1.2. Exact: the counting. Not claimed: the rounding up, which the report leaves open, equal
    speed of all trajectories, or the loss that tolerates the stale tokens.
    """
    completions = _check_durations(durations)
    width = as_count("prompts_per_iteration", prompts_per_iteration or len(durations), low=1)
    if not 0 < fraction <= 1:
        raise InputError("fraction", "a number above 0 and at most 1", f"{fraction:g}")
    # a decimal fraction is meant exactly: 0.1 of 30 is 3, though 0.1 * 30 in float64 is a little more
    threshold = ceil(Fraction(fraction).limit_denominator(10**6) * width * completions)
    left = [[int(tokens) for tokens in prompt] for prompt in durations]
    segments: list[list[list[tuple[int, int]]]] = [[[] for _ in prompt] for prompt in durations]
    log: list[Iteration] = []
    started = 0
    while any(tokens for prompt in left for tokens in prompt):
        paused = sum(tokens > 0 for prompt in left[:started] for tokens in prompt)
        started = min(len(left), started + (width * completions - paused) // completions)
        running = [(p, k) for p in range(started) for k in range(completions) if left[p][k]]
        steps = advance([left[p][k] for p, k in running], threshold)
        for p, k in running:
            added = min(steps, left[p][k])
            left[p][k] -= added
            segments[p][k].append((len(log) + 1, added))
        ended = sum(left[p][k] == 0 for p, k in running)
        complete = tuple(p for p in range(started) if not any(left[p]))
        log.append(Iteration(len(log) + 1, steps, ended, len(running) - ended, complete))
    return Rollout(tuple(log), tuple(tuple(tuple(parts) for parts in prompt) for prompt in segments))


def _check_durations(durations: Sequence[Sequence[int]]) -> int:
    """Return K, or refuse."""
    if not durations or not durations[0]:
        raise InputError("durations", "at least one prompt with one completion", repr(durations))
    for p, prompt in enumerate(durations):
        if len(prompt) != len(durations[0]):
            raise InputError(f"durations[{p}]", f"{len(durations[0])} completions", str(len(prompt)))
        for k, tokens in enumerate(prompt):
            as_count(f"durations[{p}][{k}]", tokens, low=1)
    return len(durations[0])
