"""Batches and packed sequences of different length: many runs of one KDA form, none touching another."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, InputError, as_float, has_shape
from k3core.kda import KdaResult, kda_recurrent

KdaForm = Callable[..., KdaResult]
"""`kda_recurrent`, `kda_chunked` or another function of the same arguments."""


def kda_batch(
    tokens: Sequence[npt.ArrayLike],
    *,
    states: npt.ArrayLike | None = None,
    form: KdaForm = kda_recurrent,
    **options: Any,
) -> KdaResult:
    """Run B sequences of equal length.

    Args:
        tokens: query, key, value, log-decay and beta, each with B in front of the shape `form` takes.
        states: (B, H, K, V), or none for zeros.
        form: the KDA form to run.
        options: passed on to `form`.

    Returns:
        output (B, T, H, V) and state (B, H, K, V).

    Raises:
        InputError: the arrays disagree about B, or what `form` raises.
    Source: report §2.1.1 eq.1, once per sequence.
    """
    arrays = [as_float("tokens", array) for array in tokens]
    B = len(arrays[0])
    for array in arrays:
        has_shape("tokens", array, (B, *array.shape[1:]))
    T = arrays[0].shape[1]
    packed = tuple(array.reshape(B * T, *array.shape[2:]) for array in arrays)
    result = kda_packed(packed, np.arange(B + 1) * T, states=states, form=form, **options)
    return KdaResult(result.output.reshape(B, T, *result.output.shape[1:]), result.state)


def kda_packed(
    tokens: tuple[Array, ...],
    cu_seqlens: npt.ArrayLike,
    *,
    states: npt.ArrayLike | None = None,
    form: KdaForm = kda_recurrent,
    **options: Any,
) -> KdaResult:
    """Run N sequences that lie end to end in one array.

    Args:
        tokens: query, key, value, log-decay and beta, each as `form` takes it with the packed length in front.
        cu_seqlens: (N+1,) whole numbers from 0 to the packed length, not falling; sequence n is the half-open
            range from entry n to entry n+1, and may be empty.
        states: (N, H, K, V), or none: then every sequence starts from zeros, never from a neighbour's state.
        form: the KDA form to run.
        options: passed on to `form`.

    Returns:
        output (packed length, H, V) and state (N, H, K, V); an empty sequence returns its initial state.

    Raises:
        InputError: the boundaries are not as described, or what `form` raises.
    Source: report §2.1.1 eq.1, once per sequence. Exact: bit for bit the separate runs.
    """
    query, _, value, *_ = tokens
    bounds = check_boundaries(cu_seqlens, len(query))
    N = len(bounds) - 1
    H, V = value.shape[1:]
    starts = None if states is None else as_float("states", states)
    if starts is not None:
        has_shape("states", starts, (N, H, query.shape[-1], V))
    outputs, finals = [np.empty((0, H, V))], []
    for n, (start, stop) in enumerate(pairwise(bounds)):
        part = (array[start:stop] for array in tokens)
        result = form(*part, state=None if starts is None else starts[n], **options)
        outputs.append(result.output)
        finals.append(result.state)
    return KdaResult(np.concatenate(outputs), np.stack(finals) if finals else np.empty((0, H, query.shape[-1], V)))


def check_boundaries(cu_seqlens: npt.ArrayLike, length: int) -> list[int]:
    """Read cumulative sequence lengths: whole, from 0, not falling, up to `length`.

    Raises:
        InputError: it is anything else.
    Source: the packed layout of variable-length kernels: sequence n is tokens b[n] up to b[n+1].
    """
    found = np.asarray(cu_seqlens)
    whole = found.ndim == 1 and found.size > 0 and np.issubdtype(found.dtype, np.integer)
    if not whole or found[0] != 0 or found[-1] != length or np.any(np.diff(found) < 0):
        raise InputError("cu_seqlens", f"whole numbers rising from 0 to {length}", np.array2string(found)[:60])
    return [int(bound) for bound in found]
