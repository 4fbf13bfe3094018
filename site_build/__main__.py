"""`python -m site_build` and the command `k3`."""

import gc

from site_build.cli import app


def main() -> None:
    """Run the command line."""
    # what a command reads lives until it ends: looking for garbage doubles the time of a large ledger
    gc.disable()
    app()


if __name__ == "__main__":
    main()
