"""The tiny project's numerics: a product, and a lab around it."""


def product(first: int, second: int) -> int:
    return first * second


def lab_floor(rows: int, shape: str) -> dict[str, object]:
    return {"tiles": rows * rows if shape == "square" else 2 * rows * rows, "edge": {"ratio": 1 / rows}}


DERIVATIONS = {"tiny.product": product}
LABS = {"tiny.floor": lab_floor}
