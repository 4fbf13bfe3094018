"""State and history layouts, converted by name: a square head makes a transposed state look right."""

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, InputError, as_count, as_float, has_shape, one_of

STATE_LAYOUTS = ("key_first", "value_first")
"""(..., K, V) as the formulas write it and fla stores it; (..., V, K) as FlashKDA and the released model do."""
HISTORY_LAYOUTS = ("taps_by_width", "width_by_columns")
"""(W-1, D), the projections a convolution still needs; (D, W), as fla keeps them with the current one last."""


def convert_state(state: npt.ArrayLike, *, source: str, target: str, key_dim: int, value_dim: int) -> Array:
    """Bring a KDA state from one named layout into another, as a new array.

    Args:
        state: (..., K, V) for `key_first`, (..., V, K) for `value_first`.
        source: the layout it has.
        target: the layout it shall have.
        key_dim: K; both are asked for because K = V would hide a wrong layout.
        value_dim: V.

    Raises:
        InputError: an unknown layout, or a shape that is not the source layout's.
    Source: derived. Exact: bit for bit.
    """
    one_of("source", source, STATE_LAYOUTS)
    one_of("target", target, STATE_LAYOUTS)
    state = as_float("state", state)
    K, V = as_count("key_dim", key_dim, 1), as_count("value_dim", value_dim, 1)
    if state.ndim < 2:
        raise InputError("state", "at least 2 dimensions", f"shape {state.shape}")
    has_shape("state", state, (*state.shape[:-2], *((K, V) if source == "key_first" else (V, K))))
    return state.copy() if source == target else np.ascontiguousarray(state.swapaxes(-1, -2))


def history_from_columns(columns: npt.ArrayLike) -> Array:
    """Turn fla's convolution cache (D, W) into the history (W-1, D) that `short_conv` takes.

    The oldest column is dropped: it lies outside the window of the next token.

    Raises:
        InputError: not two-dimensional, or W below 2.
    Source: derived from the layout of fla's cache. Exact: a selection.
    """
    columns = as_float("columns", columns, ndim=2)
    as_count("columns width", columns.shape[1], 2)
    return np.ascontiguousarray(columns[:, 1:].T)


def columns_from_history(history: npt.ArrayLike) -> Array:
    """Turn a history (W-1, D) into fla's cache (D, W), whose oldest column is unknown and set to 0.

    Raises:
        InputError: not two-dimensional, or not finite.
    Source: derived. Not claimed: equality in that first column, which no later token reads.
    """
    history = as_float("history", history, ndim=2)
    return np.concatenate([np.zeros((history.shape[1], 1)), history.T], axis=1)
