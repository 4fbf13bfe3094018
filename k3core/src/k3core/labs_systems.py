"""The numbers behind labs G and H: post-training rules and the prefix cache, every input bounded."""

import math
from fractions import Fraction

import numpy as np

from k3core.guards import InputError, as_count, as_float, has_shape, in_range
from k3core.labs import Reply, as_number
from k3core.post_training import budget_tokens, effort_reward, mopd_reward, partial_rollout
from k3core.prefix_cache import longest_boundary


def lab_post_training(
    *,
    domain: str,
    thinking: int,
    response: int,
    tool_arguments: int,
    base_tokens: float,
    tau: float,
    durations: list[list[int]],
    fraction: float,
    teacher: list[float],
    student: list[float],
    bound: float,
) -> Reply:
    """Lab G: one trajectory's effort budget, one batch's pauses, and a few tokens' distillation reward.

    Args:
        domain: `general` counts thinking alone, `agentic` all output.
        thinking: tokens, 0 to 10,000,000.
        response: tokens, 0 to 10,000,000.
        tool_arguments: tokens, 0 to 10,000,000.
        base_tokens: b0, tokens of the cold-start model, 1 to 10,000,000.
        tau: budget in units of b0, 0.01 to 100.
        durations: per prompt the tokens of its completions, 1 to 64 prompts of 1 to 64, each 1 to 1,000,000.
        fraction: lambda, 0.01 to 1.
        teacher: probabilities of the sampled tokens, 0 to 1, at most 64.
        student: the same tokens' probabilities, above 0.
        bound: R_max, 0.01 to 100.

    Source: report §4.1.2, §4.1.3 eq.15. Exact: the counting and the clip. Not claimed: tau, lambda or R_max of
    the report, which gives none, or any policy optimisation.
    """
    counts = {"thinking": thinking, "response": response, "tool_arguments": tool_arguments}
    spent = budget_tokens(**{name: as_count(name, value, 0, 10**7) for name, value in counts.items()}, domain=domain)
    base, factor = as_number("base_tokens", base_tokens, 1.0, 1e7), as_number("tau", tau, 0.01, 100.0)
    _check_durations(durations)
    rollout = partial_rollout(durations, fraction=as_number("fraction", fraction, 0.01, 1.0))
    return {
        "spent": spent,
        "budget": factor * base,
        "within_budget": bool(spent <= factor * base),
        "reward_of_success": float(effort_reward([1.0], [float(spent)], base, factor)[0]),
        "threshold": math.ceil(Fraction(fraction).limit_denominator(10**6) * len(durations) * len(durations[0])),
        "iterations": [
            {"steps": i.steps, "finished": i.finished, "paused": i.paused, "complete": list(i.prompts_complete)}
            for i in rollout.iterations
        ],
        "policy_versions_in_one_trajectory": rollout.most_iterations_spanned,
        "distillation_reward": _distilled(teacher, student, as_number("bound", bound, 0.01, 100.0)),
    }


def lab_prefix_cache(
    *, prompt_tokens: int, matched_tokens: int, hash_block: int, page_blocks: int, checkpoints: list[list[int]]
) -> Reply:
    """Lab H: the longest prefix that both caches can resume from, and what must be computed again.

    Args:
        prompt_tokens: 1 to 1,048,576.
        matched_tokens: tokens whose latents are cached, 0 to prompt_tokens.
        hash_block: tokens of a hash block, 1 to 65,536 (512 in the report).
        page_blocks: hash blocks of a physical page, 1 to 64 (12 in the report's figure).
        checkpoints: per KDA group the token counts with a checkpoint, 1 to 16 groups of at most 256.

    Returns:
        Boundaries, counts, and the lookup: from the latents' last boundary down through every boundary at which some
        group has a checkpoint, `hit` where all groups have one, `miss` before it, `start` where none is left.

    Source: report §5.4.1 fig.12. Exact: the boundaries. Not claimed: hit rates of a service, or the last token
    that an engine computes again to have logits.
    """
    prompt = as_count("prompt_tokens", prompt_tokens, 1, 2**20)
    match, block = as_count("matched_tokens", matched_tokens, 0, prompt), as_count("hash_block", hash_block, 1, 65_536)
    page = block * as_count("page_blocks", page_blocks, 1, 64)
    if not isinstance(checkpoints, list) or not 1 <= len(checkpoints) <= 16:
        raise InputError("checkpoints", "1 to 16 lists", repr(checkpoints)[:80])
    groups = []
    for n, group in enumerate(checkpoints):
        if not isinstance(group, list) or len(group) > 256:
            raise InputError(f"checkpoints[{n}]", "a list of at most 256 counts", repr(group)[:80])
        groups.append([as_count(f"checkpoints[{n}]", tokens, 1, 2**20) for tokens in group])
    hit = longest_boundary(match, groups, block)
    latent_only = match // block * block
    return {
        "page_tokens": page,
        "latent_boundary": latent_only,
        "lookup": _lookup(latent_only, groups, block),
        "boundary": hit,
        "boundary_per_group": [longest_boundary(match, [group], block) for group in groups],
        "whole_pages": hit // page,
        "blocks_in_last_page": hit % page // block,
        "recomputed_tokens": prompt - hit,
        "lost_to_checkpoints": latent_only - hit,
    }


def _lookup(latent_only: int, groups: list[list[int]], block: int) -> list[Reply]:
    found = {tokens for group in groups for tokens in group if tokens <= latent_only and tokens % block == 0}
    steps: list[Reply] = []
    for boundary in sorted(found | {latent_only, 0}, reverse=True):
        having = sum(boundary in group for group in groups)
        verdict = "start" if boundary == 0 else "hit" if having == len(groups) else "miss"
        steps.append({"boundary": boundary, "groups_with_checkpoint": having, "verdict": verdict})
        if verdict == "hit":
            break
    return steps


def _distilled(teacher: list[float], student: list[float], bound: float) -> list[float]:
    p, q = as_float("teacher", teacher, ndim=1), as_float("student", student, ndim=1)
    has_shape("student", q, p.shape)
    as_count("teacher length", p.size, 1, 64)
    in_range("teacher", p, 0.0, 1.0)
    in_range("student", q, 1e-300, 1.0)
    # a teacher's zero has no logarithm; anything below e^-bound of the student is clipped alike
    logs = np.log(np.maximum(p, 1e-300))
    found = mopd_reward(logs, np.log(q), bound)
    return [float(value) for value in np.where(p == 0, -bound, found)]


def _check_durations(durations: list[list[int]]) -> None:
    if not isinstance(durations, list) or not 1 <= len(durations) <= 64:
        raise InputError("durations", "1 to 64 lists", repr(durations)[:80])
    for n, prompt in enumerate(durations):
        if not isinstance(prompt, list) or not 1 <= len(prompt) <= 64:
            raise InputError(f"durations[{n}]", "1 to 64 counts", repr(prompt)[:80])
        for tokens in prompt:
            as_count(f"durations[{n}]", tokens, 1, 10**6)
