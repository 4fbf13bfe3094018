"""One good set of inputs per lab."""

from typing import Any

from numeric_vectors import inputs

INPUTS: dict[str, dict[str, Any]] = {
    "A": {"beta": 1.0, "repeats": 1, "key": [3, 4], "value": [2.0], "distractor": [1.0], "overlap": 0.5},
    "B": {"lower_bound": -5.0, "chunk": 16, "cumulative_decay": -40.0},
    "C": {"layers": 93, "block": 12},
    "D": {"full_width": 7168, "latent_width": 3584, "top_k": 16, "tokens": 1, "number_format": "bf16"},
    "E": {"x": inputs("9.1")["x"], "gate_beta": 4, "up_beta": 25},
    "F": {"scores": inputs("10.1")["scores"], "top_k": 1, "bins": 1000, "sign_step": 0.001, "steps": 2},
    "G": {
        "domain": "general",
        "thinking": 900,
        "response": 300,
        "tool_arguments": 0,
        "base_tokens": 500.0,
        "tau": 2.0,
        "durations": [[1, 2, 3], [2, 4, 9]],
        "fraction": 0.5,
        "teacher": [0.5, 0.9, 0.0],
        "student": [0.25, 1e-9, 0.5],
        "bound": 5.0,
    },
    "H": {
        "prompt_tokens": 3000,
        "matched_tokens": 2800,
        "hash_block": 512,
        "page_blocks": 12,
        "checkpoints": [[1024, 2560], [2560]],
    },
}
